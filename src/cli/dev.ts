import { pino } from 'pino'
import { allControllers } from '../controllers/all.ts'
import { startControlPlane } from '../dev/control-plane/control-plane.ts'
import { startKubelet } from '../dev/kubelet.ts'
import { installCrds } from '../dev/install-crds.ts'
import { createNamespaces, createSampleAgent, createSampleServices, sampleFleet } from '../dev/sample-fleet.ts'
import { type Client, createClient } from '../kube/client.ts'
import { systemClock } from '../kube/clock.ts'
import { readKubeconfig } from '../kube/kubeconfig.ts'
import { connect } from '../kube/wire.ts'
import { alone } from '../runtime/alone.ts'
import { noMeter } from '../runtime/meter.ts'
import { startOperator } from '../runtime/operator.ts'
import { conditionOf } from './ledger/condition.ts'
import { type Change, followAgents } from './ledger/follow.ts'
import { type Progress, showProgress } from './progress.ts'
import { untilAskedToStop } from './stop-signals.ts'

/** Starts everything on this machine, shows what to try, and cleans up when it ends. */
export const runDev = async ({ exitWhenReady }: { readonly exitWhenReady: boolean }): Promise<void> => {
  const progress = showProgress()
  await using controlPlane = await progress.step(
    'control plane',
    (say) => startControlPlane({ controllerManager: true, say }),
    ({ version, url }) => `Kubernetes ${version} at ${url}`,
  )
  await using started = new AsyncDisposableStack()
  const port = connect(readKubeconfig(controlPlane.kubeconfig, systemClock))
  started.defer(() => port.close())
  const client = createClient(port, new AbortController().signal)
  await progress.step(
    'kinds',
    () => installCrds(client),
    (count) => `${count} installed`,
  )
  const { operatorNamespace, tenants, client: payments, agent } = sampleFleet
  await progress.step(
    'namespaces',
    () => createNamespaces(client, [operatorNamespace, ...tenants, payments]),
    () => [...tenants, payments].join(', '),
  )
  started.use(await startKubelet({ port, clock: systemClock }))
  const log = pino({ level: 'warn', base: null }, process.stderr)
  const operator = await progress.step(
    'operator',
    () =>
      startOperator({
        port,
        clock: systemClock,
        log,
        controllers: allControllers(operatorNamespace),
        scope: { own: operatorNamespace, watched: 'all' },
        instance: 'dev',
        meter: noMeter,
        whenLeading: alone,
      }),
    () => `keeps its keys in ${operatorNamespace}`,
  )
  started.defer(() => operator.stop())
  await createSampleFleet(client, progress)
  // Until here Ctrl-C simply ends this process, and the control plane's keeper cleans up.
  const asked = untilAskedToStop()
  progress.say(invitation(controlPlane.kubeconfig))
  if (!exitWhenReady)
    await followAgents(
      client,
      { name: agent },
      tellOfKeys((line) => progress.say(line)),
      asked,
    )
}

const createSampleFleet = async (client: Client, progress: Progress): Promise<void> => {
  const { tenants, service, agent } = sampleFleet
  await progress.step(
    'sample agent',
    () => createSampleAgent(client),
    (keyId) => `${agent} is ready with key ${keyId}`,
  )
  await progress.step(
    'sample services',
    () => createSampleServices(client),
    () => `${tenants.map((namespace) => `${namespace}/${service}`).join(', ')} run, and take its tokens`,
  )
}

/**
 * Says how far an exchange of keys is, each time that there is something new to say.
 * @internal
 */
export const tellOfKeys = (say: (line: string) => void) => {
  let last: string | undefined
  return (changes: readonly Change[]): void => {
    for (const { object } of changes) {
      const { keyID = 'none' } = object.status ?? {}
      const rotation = conditionOf(object, 'RotationComplete') ?? conditionOf(object, 'RevocationComplete')
      const line = `${object.metadata.name} signs with key ${keyID}${rotation === undefined ? '' : `; ${rotation.message}`}`
      if (last !== undefined && last !== line) say(line)
      last = line
    }
  }
}

const invitation = (kubeconfig: string): string => `
Try, in another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl get ledgerclusteragents
  kubectl get secrets -A -l ledger.formance.com/agent-name=${sampleFleet.agent}

Delete a ledger, and make it again: the copy of the key goes with it and comes back the same.

  kubectl get ledgerservice -n team-a books -o yaml > books.yaml
  kubectl delete -f books.yaml
  kubectl get secrets -A -l ledger.formance.com/agent-name=${sampleFleet.agent}
  kubectl create -f books.yaml

Take a copy of the key away, and see it come back at once:

  kubectl delete secret -n team-b ledger-${sampleFleet.agent}-agent-keys
  kubectl get secret -n team-b ledger-${sampleFleet.agent}-agent-keys

Exchange the key. Both ledgers list the new one and restart their pods to load it; when the last pod has it, it is used.
What happens is told here, line by line:

  kubectl annotate --overwrite ledgerclusteragent ${sampleFleet.agent} holdfast.dev/rotate="$(date)"
  kubectl get ledgerservices -A -o custom-columns='LEDGER:.metadata.namespace,KEY:.status.authKeys[*].keyID,IS:.status.authKeys[*].state'
  kubectl get ledgerclusteragents

Ctrl-C ends it all and cleans up.`
