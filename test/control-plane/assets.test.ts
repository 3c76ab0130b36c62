import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import { aScratch } from './scratch.ts'
import { aSearch } from './search.ts'

test('a complete KUBEBUILDER_ASSETS is used as it is', async () => {
  await using scratch = await aScratch()
  const etcd = await scratch.script('etcd')
  const apiServer = await scratch.script('kube-apiserver')

  const programs = await findBinaries({ ...aSearch(scratch), assets: scratch.directory, controllerManager: false })

  expect(programs).toEqual({ etcd: [etcd], apiServer: [apiServer] })
})

test('an incomplete KUBEBUILDER_ASSETS says what is missing', async () => {
  await using scratch = await aScratch()
  await scratch.script('etcd')

  await expect(findBinaries({ ...aSearch(scratch), assets: scratch.directory })).rejects.toThrow(
    `KUBEBUILDER_ASSETS is ${scratch.directory}, which has no executable kube-apiserver and no kube-controller-manager: ` +
      'add what is missing, or unset KUBEBUILDER_ASSETS to have the programs fetched or built',
  )
})

test('a KUBEBUILDER_ASSETS that is not there is an incomplete one', async () => {
  await using scratch = await aScratch()
  const assets = join(scratch.directory, 'absent')

  await expect(findBinaries({ ...aSearch(scratch), assets })).rejects.toThrow('has no executable etcd and no')
})
