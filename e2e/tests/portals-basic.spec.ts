import { createHash } from 'node:crypto'
import { joinAsBasicPeer } from '../support/basic-peer.ts'
import { expect, test } from '../support/journey.ts'
import { acceptFile, answerUnverified, atPortal, direct, openPortal, sendFiles } from '../support/portals.ts'
import { asPathList, makeRandomFile } from '../support/random-file.ts'

test.use({ launchOptions: direct })

test('POR-03 POR-04 POR-06 a device that knows only the specification joins by the shown code, takes a file and sends one', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const other = await atPortal(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  const sendBytes = 100_000
  const reported = joinAsBasicPeer(other, { pin, sends: [sendBytes] })
  await answerUnverified(creator)
  await expect(creator.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  await expect(creator.getByText('Unverified')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'basic.bin', bytes: 500_001 })

  await sendFiles(creator, [file.path])
  await expect(creator.getByRole('alertdialog', { name: /wants to send/ })).toBeVisible({ timeout: 60_000 })
  const saved = await acceptFile(creator, folder)

  expect(await reported).toEqual({
    channels: 1,
    ordered: true,
    maxRetransmits: 3,
    longestChunk: 16_384,
    sha256: [file.sha256],
    unknown: [],
  })
  expect(saved.name).toBe('100000 bytes from an old phone.bin')
  expect(saved.sha256).toBe(createHash('sha256').update(Buffer.alloc(sendBytes, 7)).digest('hex'))
})

test('POR-04 POR-05 files of no bytes, of one and of 16 KB go to such a device and come from it, byte for byte', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const sizes = [0, 1, 16_384]
  const creator = await atPortal(context, server.url)
  const other = await atPortal(await anotherBrowser(), server.url)
  const reported = joinAsBasicPeer(other, { pin: await openPortal(creator), takes: sizes.length, sends: sizes })
  await answerUnverified(creator)
  await expect(creator.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  const files = await Promise.all(sizes.map((bytes) => makeRandomFile({ folder, name: `${bytes}.bin`, bytes })))

  await sendFiles(creator, asPathList(files))
  for (const bytes of sizes) {
    const offered = creator.getByRole('alertdialog', { name: new RegExp(`wants to send ${bytes} bytes from`) })
    await expect(offered).toBeVisible({ timeout: 60_000 })
    const saved = await acceptFile(creator, folder)
    expect(saved.sha256).toBe(createHash('sha256').update(Buffer.alloc(bytes, 7)).digest('hex'))
  }

  expect((await reported).sha256).toEqual(files.map(({ sha256 }) => sha256))
})

test('POR-04 POR-07 such a device whose word of being ready got lost is taken to be ready after ten seconds', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const other = await atPortal(await anotherBrowser(), server.url)
  const reported = joinAsBasicPeer(other, { pin: await openPortal(creator), isNeverReady: true })
  await answerUnverified(creator)
  await expect(creator.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  const file = await makeRandomFile({ folder, name: 'basic.bin', bytes: 40_000 })

  await sendFiles(creator, [file.path])

  expect(await reported).toMatchObject({ sha256: [file.sha256] })
})
