import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  connectAtPortal,
  directConnectionOptions,
  sendFiles,
  sendFolder,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024
const files = {
  'holiday/read me.txt': 1,
  'holiday/nothing yet.txt': 0,
  'holiday/pictures/day 1/Ångström.jpg': 3 * megabyte + 5,
  'holiday/pictures/day 2/film.mp4': 12 * megabyte + 1,
}

/** No user can answer the folder picker; without it a folder arrives as one archive. */
async function connectWithoutFolderPicker(contexts: readonly [BrowserContext, BrowserContext], url: string) {
  for (const context of contexts)
    await context.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
  return connectAtPortal(contexts, url)
}

test('POR-04 POR-05 a folder is transferred completely in both directions, with every file unchanged', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [creator, joiner] = await connectWithoutFolderPicker([context, await anotherBrowser()], server.url)
  const expected = new Map<string, string>()
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    expected.set(name, (await makeRandomFile({ folder, name, bytes })).sha256)
  }

  for (const [from, to] of [
    [creator, joiner],
    [joiner, creator],
  ] as const) {
    await sendFolder(from, join(folder, 'holiday'))
    const saved = await acceptFile(to, folder)

    expect(saved.name).toBe('holiday.zip')
    expect(await readArchive(saved.path)).toEqual(expected)
    for (const page of [from, to]) await expect(page.getByRole('button', { name: 'Send Folder' })).toBeEnabled()
  }
})

test('POR-04 a folder arrives as one archive after another file has arrived', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [sender, receiver] = await connectWithoutFolderPicker([context, await anotherBrowser()], server.url)
  const first = await makeRandomFile({ folder, name: 'first.bin', bytes: 100_000 })
  await mkdir(join(folder, 'holiday', 'pictures'), { recursive: true })
  const inside = await makeRandomFile({ folder, name: 'holiday/pictures/day.jpg', bytes: 1000 })
  const above = await makeRandomFile({ folder, name: 'holiday/notes.txt', bytes: 10 })
  await sendFiles(sender, [first.path])
  expect((await acceptFile(receiver, folder)).sha256).toBe(first.sha256)
  await expect(sender.getByRole('button', { name: 'Send Folder' })).toBeEnabled()

  await sendFolder(sender, join(folder, 'holiday'))
  const saved = await acceptFile(receiver, folder)

  expect(saved.name).toBe('holiday.zip')
  expect(await readArchive(saved.path)).toEqual(
    new Map([
      ['holiday/pictures/day.jpg', inside.sha256],
      ['holiday/notes.txt', above.sha256],
    ]),
  )
})
