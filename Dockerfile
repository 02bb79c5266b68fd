# The image of the command. `docker build .` in a clone needs nothing else. See docs/container.md.

# Where it is built: Node, npm and binutils. Node and its libraries are copied from here into the image.
ARG BUILD_IMAGE=docker.io/library/node:22-bookworm
# What the image starts from: nothing. For audits that render pages, an image with Chromium and playwright-core.
ARG RUNTIME_IMAGE=scratch

FROM ${BUILD_IMAGE} AS build
ARG SOURCE_DATE_EPOCH=0
WORKDIR /build
COPY . .
# A private registry is in the file of the secret `npmrc`, if there is one.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc node scripts/assemble-image.mjs /image

# No shell and no package manager: Node, its libraries, and the command.
FROM ${RUNTIME_IMAGE}
COPY --from=build /image /
ENV HOME=/data XDG_CACHE_HOME=/data NODE_ENV=production
WORKDIR /data
USER 10001:10001
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["/usr/local/bin/node", "-e", \
  "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/app/packages/maycrawl/bin/maycrawl.js"]
CMD ["serve", "--host", "0.0.0.0", "--database", "/data/robots.sqlite"]
