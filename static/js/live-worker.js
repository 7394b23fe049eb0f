// SharedWorker: the one EventSource of this browser, handing topics to all tabs.
import { LiveHub } from "./live-hub.js";

const hub = new LiveHub();

self.addEventListener("connect", ({ ports: [port] }) => {
  port.addEventListener("message", ({ data }) => {
    if (data.type === "bye") hub.drop(port);
    else hub.set(port, data.topics, data.urls, (message) => port.postMessage(message));
  });
  port.start();
});
