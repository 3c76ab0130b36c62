import manifest from '../../package.json' with { type: 'json' }

/** The version of this program. The bundle holds a copy that is made with it. */
export const version = manifest.version
