# `make build` first: nothing is built in here. The base has Node, certificates and no shell.
# The settings of Node are those of tools/node-settings.ts, which says why.
FROM gcr.io/distroless/nodejs24-debian12:nonroot
COPY dist/ /holdfast/dist/
USER 65532:65532
ENV MALLOC_ARENA_MAX=1
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=8", "--heap-growing-percent=50", "/holdfast/dist/holdfast.js"]
