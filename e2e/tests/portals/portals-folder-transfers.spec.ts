import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, sha256Of } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'
import { connectAtPortal, directConnectionOptions, sendFolder } from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

/** Creates a folder with a subfolder, a file of several blocks, an empty one, and two of the same name. */
async function createFolder(folder: string): Promise<string> {
  const path = join(folder, 'plans')
  mkdirSync(join(path, 'north'), { recursive: true })
  await makeRandomFile({ folder: join(path, 'north'), name: 'elevation.dwg', bytes: 2_500_000 })
  writeFileSync(join(path, 'north', 'same.txt'), 'north')
  writeFileSync(join(path, 'same.txt'), 'top')
  writeFileSync(join(path, 'empty'), '')
  return path
}

const offerDialog = (page: Page) => page.getByRole('alertdialog', { name: 'wants to send the folder “plans”' })

test('POR-04 a dropped folder arrives as one archive with all its files unchanged', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await context.clock.install()
  const [sender, receiver] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const path = await createFolder(folder)

  await dropFiles(sender, sender.getByRole('heading', { name: 'Portal Opened' }), [path])
  await expect(offerDialog(receiver)).toContainText('4 files')
  await expect(offerDialog(receiver)).toContainText('plans/north/elevation.dwg')
  await pauseClock(sender)
  const saved = await saveDownload(receiver, folder, async () => {
    await receiver.getByRole('button', { name: 'Accept' }).click()
    await stepUntilVisible(sender.getByText('The other device received the file'))
  })

  expect(saved.name).toBe('plans.zip')
  expect(Object.fromEntries(await readArchive(saved.path))).toEqual({
    'plans/north/elevation.dwg': await sha256Of(join(path, 'north', 'elevation.dwg')),
    'plans/north/same.txt': await sha256Of(join(path, 'north', 'same.txt')),
    'plans/same.txt': await sha256Of(join(path, 'same.txt')),
    'plans/empty': await sha256Of(join(path, 'empty')),
  })
})

test('POR-04 a receiver with a folder picker gets the folder itself, next to an existing one of that name', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await other.clock.install()
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const path = await createFolder(folder)
  // Replaces the picker of a headless browser: it returns a real folder that the page may write to.
  await receiver.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const chosen = await root.getDirectoryHandle('chosen', { create: true })
    await chosen.getDirectoryHandle('plans', { create: true })
    Reflect.set(window, 'showDirectoryPicker', async () => chosen)
  })

  await sendFolder(sender, path)
  await expect(offerDialog(receiver)).toContainText('You’ll choose where to save it.')
  await pauseClock(receiver)
  await receiver.getByRole('button', { name: 'Accept' }).click()
  await stepUntilVisible(receiver.getByText('File saved to downloads'))

  const listing = await receiver.evaluate(async () => {
    async function list(folder: FileSystemDirectoryHandle, prefix: string): Promise<string[]> {
      const names: string[] = []
      for await (const handle of folder.values()) {
        const path = `${prefix}${handle.name}`
        if (handle.kind === 'directory') names.push(...(await list(handle as FileSystemDirectoryHandle, `${path}/`)))
        else {
          const bytes = await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer()
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
          names.push(`${path} ${digest.toHex()}`)
        }
      }
      return names
    }
    const root = await navigator.storage.getDirectory()
    return (await list(await root.getDirectoryHandle('chosen'), '')).sort()
  })
  const paths = ['empty', 'north/elevation.dwg', 'north/same.txt', 'same.txt']
  const expected = paths.map(async (one) => `plans (2)/${one} ${await sha256Of(join(path, one))}`)
  expect(listing).toEqual(await Promise.all(expected))
})
