# The service as a single image. PostgreSQL runs outside of the image (`DATABASE_URL`). docs/deployment.md describes how to run it.

FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Builds the Prisma client, the types of GraphQL documents, and the pages for browsers.
RUN npm run -s generate && npm run -s build && node .ci/image.ts /image/app
# Strips the debugging symbols from Node, and copies the only library that Node needs and the final image lacks.
RUN apt-get update -q && apt-get install -yq --no-install-recommends binutils libatomic1 \
  && mkdir -p /image/bin /image/lib /image/data \
  && strip -o /image/bin/node "$(node -p process.execPath)" \
  && cp "$(find /usr/lib -name 'libatomic.so.1' | head -n 1)" /image/lib/

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /image/bin /usr/local/bin
COPY --from=build /image/lib /usr/local/lib
COPY --from=build /image/app /app
COPY --from=build --chown=65532:65532 /image/data /data
WORKDIR /app
# With fewer malloc arenas, less freed memory stays allocated to the process.
ENV MALLOC_ARENA_MAX=2
# The service writes only to /data, for example emails if no mail server is configured. The rest of the file system can be read-only.
ENV LD_LIBRARY_PATH=/usr/local/lib NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
EXPOSE 4000
VOLUME /data
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["/usr/local/bin/node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/node", "--min-semi-space-size=16"]
CMD [".cache/service/main.mjs"]
