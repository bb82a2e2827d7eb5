import { relayPath, signallingPath } from '@sallyport/contract/portals'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test as journey } from '../../support/journey.ts'
import { relayDirectPaths } from '../../support/network/relay-direct-paths.ts'
import { blockDirectPaths, connectAtPortal, directConnectionOptions, sendFiles } from '../../support/portals/portals.ts'
import { type Nodes, startNodes } from '../../support/server/nodes.ts'

const test = journey.extend<{ nodes: Nodes }>({
  nodes: async ({ browserName: _ }, use) => {
    const nodes = await startNodes(2)
    await use(nodes)
    await nodes.stop()
  },
})

test.use({ launchOptions: directConnectionOptions })
test.describe.configure({ timeout: 600_000 })

const megabyte = 1_000_000

test('POR-01 POR-04 two browsers at two nodes connect by a typed code and transfer 10 MB unchanged', async ({
  context,
  anotherBrowser,
  folder,
  nodes,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], nodes.url)
  await expect(creator.getByText('Verified (PIN)')).toBeVisible()
  await expect(joiner.getByText('Direct')).toBeVisible()
  expect(nodes.socketsAt(signallingPath)).toEqual([1, 1])
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 10 * megabyte })

  await sendFiles(creator, [file.path])
  const saved = await saveDownload(joiner, folder, () => joiner.getByRole('button', { name: 'Accept' }).click())

  expect([saved.name, saved.sha256]).toEqual([file.name, file.sha256])
})

test('POR-04 without a direct path 10 MB are relayed encrypted between the nodes, unchanged', async ({
  context,
  anotherBrowser,
  folder,
  nodes,
}) => {
  const other = await anotherBrowser()
  for (const one of [context, other]) await blockDirectPaths(one)
  const [creator, joiner] = await connectAtPortal([context, other], nodes.url)
  await expect(creator.getByText('Relayed')).toBeVisible()
  expect(nodes.socketsAt(relayPath)).toEqual([1, 1])
  const file = await makeRandomFile({ folder, name: 'relayed.bin', bytes: 10 * megabyte })

  await sendFiles(joiner, [file.path])
  const saved = await saveDownload(creator, folder, () => creator.getByRole('button', { name: 'Accept' }).click())

  expect(saved.sha256).toBe(file.sha256)
})

test('POR-04 after a restart of the servers and a cut connection both devices reconnect without a code', async ({
  context,
  anotherBrowser,
  folder,
  nodes,
}) => {
  const other = await anotherBrowser()
  const relays = await relayDirectPaths([context, other])
  const [creator, joiner] = await connectAtPortal([context, other], nodes.url)
  for (const index of [0, 1]) await nodes.kill(index)
  for (const index of [0, 1]) await nodes.restart(index)
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 40 * megabyte })
  await sendFiles(creator, [file.path])
  const downloaded = saveDownload(joiner, folder, () => joiner.getByRole('button', { name: 'Accept' }).click())
  await joiner.waitForFunction(
    () => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) >= 20,
  )
  relays.cutAll()
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible({ timeout: 240_000 })
  relays.restore()

  expect((await downloaded).sha256).toBe(file.sha256)
  relays.close()
})
