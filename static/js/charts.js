// `<div class="chart" data-chart="id">` draws the ECharts option in `<script type="application/json" id="id">`.
// Colours, fonts and tooltips are ours; a data item with `url` leads to the rows behind it.
import { meta } from "./words.js";
import { duration } from "./clock.js";

const drawn = new Map();
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const FORMATS = {
  minutes: (seconds) => `${(seconds / 60).toFixed(seconds < 600 ? 1 : 0)} min`,
  duration: (seconds) => duration(seconds),
  percent: (ratio) => `${(ratio * 100).toFixed(1)}%`,
  number: (value) => Number(value).toLocaleString(document.documentElement.lang),
};
let loading = null;

function echarts() {
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: meta("echarts") });
    script.addEventListener("load", () => resolve(window.echarts));
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return loading;
}

function theme() {
  const [ink, line] = [css("--wr-chart-ink"), css("--wr-chart-line")];
  const axis = { axisLine: { lineStyle: { color: line } }, axisTick: { lineStyle: { color: line } }, axisLabel: { color: ink }, nameTextStyle: { color: ink }, splitLine: { lineStyle: { color: line } } };
  return {
    color: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => css(`--wr-chart-${n}`)),
    backgroundColor: "transparent",
    textStyle: { color: ink, fontFamily: getComputedStyle(document.body).fontFamily },
    legend: { textStyle: { color: ink } },
    tooltip: { backgroundColor: css("--tblr-bg-surface"), borderColor: line, textStyle: { color: ink } },
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: axis,
    logAxis: axis,
    timeAxis: axis,
  };
}

// JSON has no functions: `"var(--wr-stage-diagnosis)"` names a token, `"$minutes"` a way to write numbers.
function resolve(value) {
  if (Array.isArray(value)) return value.map(resolve);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolve(v)]));
  if (typeof value !== "string") return value;
  const token = value.match(/^var\((--[\w-]+)\)$/);
  if (token) return css(token[1]);
  return value.startsWith("$") && FORMATS[value.slice(1)] ? FORMATS[value.slice(1)] : value;
}

async function draw(box) {
  const data = document.getElementById(box.dataset.chart);
  if (!data) return;
  const library = await echarts();
  if (!box.isConnected) return;
  drawn.get(box)?.dispose();
  const chart = library.init(box, theme(), { renderer: "canvas" });
  const option = resolve(JSON.parse(data.textContent));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || box.dataset.drawn;
  chart.setOption({ animation: !still, aria: { enabled: true }, ...option, tooltip: { confine: true, ...option.tooltip, renderMode: "richText" } });
  chart.on("click", ({ data: item }) => item?.url && (location.href = item.url));
  drawn.set(box, chart);
  box.dataset.drawn = "1";
  new ResizeObserver(() => chart.resize()).observe(box);
}

function drawAll(root) {
  for (const box of drawn.keys()) if (!box.isConnected) drop(box);
  root.querySelectorAll?.("[data-chart]").forEach(draw);
}

function drop(box) {
  drawn.get(box).dispose();
  drawn.delete(box);
}

drawAll(document);
document.addEventListener("theme-changed", () => drawAll(document));
document.addEventListener("htmx:afterSettle", (event) => drawAll(event.target));
