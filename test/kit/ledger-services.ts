import { LedgerService } from '../../src/api/ledgerservice.ts'
import { pathOf } from '../../src/kube/client.ts'
import { apiVersionOf } from '../../src/pure/kind.ts'
import { claimAnnotation } from '../../src/pure/names.ts'
import { ownNamespaces } from './namespaces.ts'

// No operator of another test is to act on these.
const annotations = { [claimAnnotation]: 'nobody' }

const strictly = { fieldValidation: 'Strict' }

/** A namespace of one test's own for LedgerServices, written as a careful user writes them. */
export const ownServices = async () => {
  const home = await ownNamespaces('team')
  const namespace = home.named('team')
  const all = pathOf(LedgerService, { namespace })
  const pathOfService = (name: string) => pathOf(LedgerService, { namespace, name })
  return {
    create: (name: string, rest: object = {}, query: Readonly<Record<string, string>> = {}) =>
      home.api.post(
        all,
        { apiVersion: apiVersionOf(LedgerService), kind: LedgerService.kind, metadata: { name, annotations }, ...rest },
        { ...strictly, ...query },
      ),
    change: (name: string, spec: object) => home.api.patch(pathOfService(name), { spec }, strictly),
    changeStatus: (name: string, status: object) =>
      home.api.patch(`${pathOfService(name)}/status`, { status }, strictly),
    read: async (name: string): Promise<LedgerService> =>
      (await home.api.get(pathOfService(name))).body as unknown as LedgerService,
    async [Symbol.asyncDispose]() {
      await home.api.delete(all)
      await home[Symbol.asyncDispose]()
    },
  }
}
