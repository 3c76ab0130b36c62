/** For each folder of src, the folders it may import besides itself. All else is forbidden. */
const mayImport = {
  pure: [],
  api: ['pure'],
  kube: ['pure'],
  runtime: ['kube', 'pure'],
  remote: ['pure'],
  controllers: ['runtime', 'remote', 'kube', 'api', 'pure'],
  dev: ['runtime', 'kube', 'api', 'pure'],
  cli: ['controllers', 'dev', 'runtime', 'remote', 'kube', 'api', 'pure'],
}

const folders = Object.keys(mayImport)
const test = '\\.test\\.ts$'
const decisions = '^src/controllers/.+[/-](?:stage|decide|status)\\.ts$|^src/controllers/.+/render/'
// The generator too: what it writes is shipped.
const programs = '^src/cli/holdfast\\.ts$|^src/dev/control-plane/keeper\\.ts$|^tools/generate\\.ts$'

const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

/** Tests may import what they like, the code beside them may not. */
const code = (path) => ({ path, pathNot: test })

const layers = Object.entries(mayImport).map(([folder, others]) => {
  const allowed = [folder, ...others].join('|')
  const config = folder === 'cli' ? '|^src/config\\.ts$' : ''
  return forbid(`layer-${folder}`, code(`^src/${folder}/`), { path: '^src/', pathNot: `^src/(?:${allowed})/${config}` })
})

export default {
  forbidden: [
    ...layers,
    forbid('layer-config', code('^src/config\\.ts$'), { path: '^src/', pathNot: '^src/(?:api|pure)/' }),
    forbid('unknown-folder', { path: '^src/', pathNot: `^src/(?:${folders.join('|')})/|^src/config\\.ts$` }, {}),
    forbid('controllers-apart', code('^src/controllers/([^/]+)/'), {
      path: '^src/controllers/',
      pathNot: '^src/controllers/$1/',
    }),
    // By reach, not by import: a neighbour that imports the cluster would bring it in through the back door.
    forbid('decisions-are-pure', code(decisions), {
      path: '^src/(?!api/|pure/|controllers/)',
      reachable: true,
    }),
    forbid(
      'undici-at-the-edge',
      { path: '^src/', pathNot: `^src/(?:kube|remote)/|${test}` },
      { path: 'node_modules/undici/' },
    ),
    // It is what we are measured against; not even its types are ours.
    forbid('rival-in-bench-only', { path: '^(?:src|test|tools)/' }, { path: 'node_modules/@kubernetes/client-node/' }),
    forbid('src-stands-alone', code('^src/'), { path: '^(?:test|tools|bench)/' }),
    forbid('no-test-import', {}, { path: test }),
    forbid('no-dev-dependency', code('^src/'), {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['npm', 'type-only'],
    }),
    forbid('resolvable', {}, { couldNotResolve: true }),
    forbid('no-cycle', {}, { circular: true }),
    forbid(
      'no-island',
      { path: programs },
      { path: '^src/', pathNot: `^src/dev/|${test}|${programs}`, reachable: false },
    ),
    {
      name: 'no-orphan',
      severity: 'error',
      from: { orphan: true, path: '^(?:src|bench)/', pathNot: `${test}|${programs}` },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Counts `import type`, which is gone after compilation but binds the files all the same.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default', 'types'], exportsFields: ['exports'] },
  },
}
