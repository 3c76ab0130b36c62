# `make build` first: nothing is built in here. The base has Node, certificates and no shell.
FROM gcr.io/distroless/nodejs24-debian12:nonroot
COPY dist/ /holdfast/dist/
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "/holdfast/dist/holdfast.js"]
