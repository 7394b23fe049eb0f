# One image for every process of the product; docker-compose.yml says which it is.
FROM node:22-bookworm-slim AS front-end
WORKDIR /srv/warroom
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund

FROM python:3.11-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/warroom
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes --requirement requirements/base.txt
COPY --from=front-end /srv/warroom/node_modules node_modules
COPY . .
# These verbs connect to nothing; settings have no defaults, so that a missing one fails at start.
RUN SECRET_KEY=build DATABASE_URL=postgres://nobody@127.0.0.1:1/none REDIS_URL=redis://127.0.0.1:1/0 \
    python -c 'from config.stack.setup import STATIC_VERBS as verbs; import subprocess as s; [s.run(["python", "manage.py", *verb], check=True) for verb in verbs]' \
 && useradd --system --no-create-home --uid 10001 warroom
USER warroom
CMD ["python", "-m", "config.stack", "migrate"]
