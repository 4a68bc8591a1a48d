# Builds with the packages for it, runs without them, as an ordinary user.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
COPY document-reader/package.json document-reader/
COPY scripts/package.json scripts/
RUN npm ci --omit=dev
COPY tsconfig.json tsconfig.build.json nest-cli.json openapi.json ./
COPY scripts scripts
COPY src src
COPY document-reader/src document-reader/src
COPY dashboard dashboard
RUN npm run build && node scripts/prune.mjs

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/scripts/admin.mjs scripts/
COPY --from=build /app/dashboard/dist dashboard/dist
COPY docker-entrypoint.sh ./
# OCR workers run as a user of their own, who owns nothing.
RUN mkdir /data && chown node:node /data && groupadd --gid 61000 keycard-ocr && \
  useradd --uid 61000 --gid 61000 --no-create-home --home-dir / --shell /usr/sbin/nologin keycard-ocr
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Starts as root to become node; see the script.
ENTRYPOINT ["/app/docker-entrypoint.sh"]
CMD ["node", "--max-semi-space-size=32", "dist/main.js"]
