import { randomBytes } from 'node:crypto'
import { eventually } from '../../src/dev/eventually.ts'
import { servedKind } from '../../src/dev/install-crds.ts'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import type { Reads } from '../../src/kube/reads.ts'
import { ConfigMap, CustomResourceDefinition } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { alone } from '../../src/runtime/alone.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import { noMeter } from '../../src/runtime/meter.ts'
import { Operator, type OperatorOptions } from '../../src/runtime/operator.ts'
import { Gate, type GateOptions } from './gate.ts'
import { ownNamespaces } from './namespaces.ts'
import { sharedConnection } from './shared-control-plane.ts'
import { TurnedClock } from './turned-clock.ts'
import { lookAt, type Widget, type WidgetSeen, widgetController, widgetCrd, widgetKind } from './widget.ts'

/** Another operator on the same runtime, on a kind of its own in a namespace of its own. */
export const aWidgetSuite = async () => {
  const home = await ownNamespaces('operator', 'work')
  const namespace = home.named('work')
  const kind = widgetKind(`g${randomBytes(4).toString('hex')}.example.com`)
  const crd = widgetCrd(kind)
  const { client, port } = sharedConnection()
  const clock = new TurnedClock()
  const logs: string[] = []
  const log = (_: object, message: string) => void logs.push(message)
  const operators: Operator[] = []

  const get = (name: string) => client.get<Widget>(kind, { namespace, name })
  const turn = (): void => {
    const next = clock.untilNext
    if (next !== undefined && next <= seconds(30)) clock.turn(milliseconds(Math.max(next, 1)))
  }
  /** Asks until it is so, and lets the operator's pauses pass meanwhile. */
  const until = <T>(question: string, ask: () => Promise<T | undefined | false> | T | undefined | false) =>
    eventually(question, async () => {
      turn()
      return ask()
    })
  return {
    kind,
    namespace,
    scope: { own: home.named('operator'), watched: [namespace] },
    clock,
    logs,
    user: home.user,
    operator: (
      own: Partial<Controller<WidgetSeen>> = {},
      gate: GateOptions = { onCall: () => undefined },
      more: Partial<OperatorOptions> = {},
    ) => {
      const operator = new Operator({
        port: new Gate(port, gate),
        clock,
        log: { info: log, warn: log, error: log },
        meter: noMeter,
        scope: { own: home.named('operator'), watched: [namespace] },
        controllers: [widgetController(kind, own)],
        instance: 'test',
        whenLeading: alone,
        ...more,
      })
      operators.push(operator)
      return operator
    },
    observe: (key: string, reads: Reads) => Promise.resolve(lookAt(kind, key, reads)),
    define: async () => {
      await home.user.create(CustomResourceDefinition, crd)
      await servedKind(client, kind)
    },
    undefine: () => home.user.delete(CustomResourceDefinition, crd.metadata),
    create: (name: string, spec: object = {}) =>
      eventually(`${name} can be created`, () =>
        home.user.create(kind, { metadata: { namespace, name }, spec }).then(
          () => true,
          () => false,
        ),
      ),
    get,
    child: (name: string) => client.get<KubeObject & { data?: Record<string, string> }>(ConfigMap, { namespace, name }),
    until,
    start: async (...started: readonly Operator[]) => {
      let isStarted = false
      const starting = Promise.all(started.map((operator) => operator.start())).then(() => {
        isStarted = true
      })
      await Promise.all([starting, until('it has started', () => isStarted)])
    },
    reasonOf: async (name: string) =>
      (await get(name))?.status?.conditions?.find((condition) => condition.type === 'Ready')?.reason,
    async [Symbol.asyncDispose]() {
      // One that has collapsed says so again.
      for (const operator of operators) await operator.stop().catch(() => undefined)
      await home.user.delete(CustomResourceDefinition, crd.metadata).catch(() => undefined)
      await home[Symbol.asyncDispose]()
    },
  }
}
