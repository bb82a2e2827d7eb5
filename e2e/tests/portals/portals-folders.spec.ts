import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'
import { acceptFile, connectAtPortal, directConnectionOptions, sendFolder } from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024
const files = {
  'holiday/read me.txt': 1,
  'holiday/nothing yet.txt': 0,
  'holiday/pictures/day 1/Ångström.jpg': 3 * megabyte + 5,
  'holiday/pictures/day 2/film.mp4': 12 * megabyte + 1,
}

test('POR-04 POR-05 a folder is transferred completely in both directions, with every file unchanged', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  // No user can answer the folder picker; without it the folder arrives as one archive.
  for (const one of [context, other])
    await one.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
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
