import type { Entries, Kubeconfig } from './kubeconfig-file.ts'

/** What kubectl makes of several kubeconfigs: the first to set a value or to have an entry of a name wins, as a whole. */
export const mergeKubeconfigs = (configs: readonly Kubeconfig[]): Kubeconfig => ({
  currentContext: configs.map((config) => config.currentContext).find(Boolean),
  contexts: firstOfEach(configs.map((config) => config.contexts)),
  clusters: firstOfEach(configs.map((config) => config.clusters)),
  users: firstOfEach(configs.map((config) => config.users)),
})

const firstOfEach = (all: readonly Entries[]): Entries => new Map(all.toReversed().flatMap((entries) => [...entries]))
