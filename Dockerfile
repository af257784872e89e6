# Atrium as it is run: the sources, their production dependencies, and Node. There is no build.
#
#     docker build --build-arg COMMIT=$(git rev-parse HEAD) -t atrium .
#     docker run -p 127.0.0.1:4000:4000 -e DATABASE_URL=… -e OIDC_ISSUER=… -e ATRIUM_SECRETS_KEY=… atrium
#
# The image is production unless ATRIUM_ENV says otherwise: without a secrets key and an issuer of
# one's own it refuses to start. It holds no embedded Postgres, no development issuer and no
# package manager. A release is built by ops/image/build.sh, which wants both bases by digest.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${NODE_IMAGE} AS install

WORKDIR /atrium
COPY package.json package-lock.json .npmrc ./
COPY packages/build.mjs packages/
COPY packages/cli/package.json packages/cli/
COPY packages/cli/bin packages/cli/bin
COPY packages/portal/package.json packages/portal/
COPY packages/sdk/package.json packages/sdk/
COPY ops/image/trim.sh ops/image/
# Optional dependencies are what a platform needs: pictures are drawn by one of them.
RUN npm ci --omit=dev && sh ops/image/trim.sh node_modules && mkdir -p /data /cache

FROM ${BASE_IMAGE}

WORKDIR /atrium
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    ATRIUM_DATA=/data

COPY --from=install /usr/local/bin/node /usr/local/bin/node
# Bounds the memory of the process that draws previews.
COPY --from=install /bin/dash /bin/sh
COPY --from=install /atrium/node_modules node_modules
# Code that Node has compiled is kept from one start to the next.
COPY --from=install --chown=65532:65532 /cache node_modules/.cache
COPY --from=install --chown=65532:65532 /data /data
COPY . .

VOLUME /data
USER 65532:65532

# Last, because every commit is another one: nothing above is built again for it.
ARG COMMIT=
ENV ATRIUM_COMMIT=$COMMIT

EXPOSE 4000
STOPSIGNAL SIGTERM
# Whether it lives: a process that waits for its database is not helped by being started again.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "src/main.ts"]
