/** One thing that keeps the cache right, and how to take it out of the source. */
export interface Protection {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** docs/requirements.md has the same names. */
export const protections: readonly Protection[] = [
  {
    name: 'a line that is no event makes everything be taken in again',
    file: 'watch.ts',
    from: '(line) => parseLine(kind, line, keep))) {',
    to: '(line) => {\n      try {\n        return parseLine(kind, line, keep)\n      } catch {\n        return undefined\n      }\n    })) {\n      if (event === undefined) continue',
  },
  {
    name: 'an expired version makes everything be taken in again',
    file: 'informer.ts',
    from: "if (isApiError(error, 'gone')) this.#startsOver",
    to: "if (isApiError(error, 'gone') && error.status === undefined) this.#startsOver",
  },
  {
    name: 'a link that is silent for longer than a bookmark takes is dialled anew',
    file: 'watch.ts',
    from: 'const longestSilence = seconds(70)',
    to: 'const longestSilence = seconds(1e9)',
  },
  {
    name: 'everything there is takes away what is not among it',
    file: 'store.ts',
    from: 'if (!listed.has(key)) this.#missed(key, before, version)\n      yield',
    to: 'yield',
  },
  {
    name: 'an older version never takes the place of a newer one',
    file: 'store.ts',
    from: 'if (last === undefined || isOlder(last, object.metadata.resourceVersion)) this.#change',
    to: 'this.#change',
  },
  {
    name: 'what we deleted is not brought back by what was on its way',
    file: 'store.ts',
    from: 'this.#deleted.add(uid)',
    to: '',
  },
  {
    name: 'a deletion concerns one UID, not a name',
    file: 'store.ts',
    from: 'if (before?.metadata.uid === uid) this.#change',
    to: 'if (before !== undefined) this.#change',
  },
  {
    name: 'what the watch has passed and does not have is gone, whatever a late answer shows',
    file: 'store.ts',
    from: 'if (isKnown || !this.#hasPassed(object)) this.#put(object)',
    to: 'this.#put(object)',
  },
  {
    name: 'an event that is told again late changes nothing',
    file: 'store.ts',
    from: 'if (!this.#deleted.has(object.metadata.uid) && !this.#hasPassed(object)) this.#put(object)',
    to: 'if (!this.#deleted.has(object.metadata.uid)) this.#put(object)',
  },
  {
    name: 'what left our selection does not come back by what was on its way',
    file: 'store.ts',
    from: 'this.#leftAt.set(key, metadata.resourceVersion)',
    to: 'return',
  },
  {
    name: 'nothing of a stream counts before the bookmark that ends it',
    file: 'informer.ts',
    from: 'else if (event.endsInitial) {',
    to: 'else {',
  },
  {
    name: 'a server that never ends its initial events is asked for a list',
    file: 'watch-trouble.ts',
    from: 'isSilence(error) || (isApiError',
    to: '(isApiError',
  },
  {
    name: 'a server that does not know initial events is asked for a list',
    file: 'watch-trouble.ts',
    from: "(isApiError(error, 'refused') && (error.status === 400 || error.status === 422))",
    to: 'false',
  },
  {
    name: 'a server that was taken back to a backup is noticed',
    file: 'informer.ts',
    from: 'return isOlder(page.resourceVersion, latest)',
    to: 'return false',
  },
  {
    name: 'what a server that was taken back does not have is forgotten',
    file: 'store.ts',
    from: 'if (isOlder(version, when.latest)) this.#forgetAllBut(items)',
    to: '',
  },
  {
    name: 'a line is decoded whole, wherever it was cut',
    file: 'lines.ts',
    from: 'return parse(decode(before, last))',
    to: "return parse([...before, last].map((part) => Buffer.from(part).toString('utf8')).join(''))",
  },
  {
    name: 'whatever fails is tried again',
    file: 'informer.ts',
    from: 'await waitFor(clock, pauseAfter(this.#failures, error), signal)',
    to: 'return',
  },
]
