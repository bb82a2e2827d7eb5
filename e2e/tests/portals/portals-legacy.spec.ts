import { createHash } from 'node:crypto'
import { makeRandomFile, pathsOf } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { joinAsLegacyPeer } from '../../support/portals/legacy-peer.ts'
import {
  acceptFile,
  answerUnverified,
  directConnectionOptions,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('POR-03 POR-04 POR-06 a legacy peer joins by the displayed code, receives a file and sends one', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const other = await openPortalPage(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  const sentBytes = 100_000
  const report = joinAsLegacyPeer(other, { pin, sendSizes: [sentBytes] })
  await answerUnverified(creator)
  await expect(creator.getByText('Device Connected!')).toBeVisible()
  await expect(creator.getByText('Unverified')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'basic.bin', bytes: 500_001 })

  await sendFiles(creator, [file.path])
  await expect(creator.getByRole('alertdialog', { name: /wants to send/ })).toBeVisible({ timeout: 240_000 })
  const saved = await acceptFile(creator, folder)

  expect(await report).toEqual({
    channels: 1,
    ordered: true,
    maxRetransmits: 3,
    longestChunkBytes: 16_384,
    sha256: [file.sha256],
    unknownTypes: [],
  })
  expect(saved.name).toBe('100000 bytes from an old phone.bin')
  expect(saved.sha256).toBe(createHash('sha256').update(Buffer.alloc(sentBytes, 7)).digest('hex'))
})

test('POR-04 POR-05 files of 0 bytes, 1 byte and 16 KB go to and from a legacy peer unchanged', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const sizes = [0, 1, 16_384]
  const creator = await openPortalPage(context, server.url)
  const other = await openPortalPage(await anotherBrowser(), server.url)
  const report = joinAsLegacyPeer(other, {
    pin: await openPortal(creator),
    receiveCount: sizes.length,
    sendSizes: sizes,
  })
  await answerUnverified(creator)
  await expect(creator.getByText('Device Connected!')).toBeVisible()
  const files = await Promise.all(sizes.map((bytes) => makeRandomFile({ folder, name: `${bytes}.bin`, bytes })))

  await sendFiles(creator, pathsOf(files))
  for (const bytes of sizes) {
    const offerDialog = creator.getByRole('alertdialog', { name: new RegExp(`wants to send ${bytes} bytes from`) })
    await expect(offerDialog).toBeVisible({ timeout: 240_000 })
    const saved = await acceptFile(creator, folder)
    expect(saved.sha256).toBe(createHash('sha256').update(Buffer.alloc(bytes, 7)).digest('hex'))
  }

  expect((await report).sha256).toEqual(files.map(({ sha256 }) => sha256))
})
