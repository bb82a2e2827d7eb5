import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { connectAtPortal, direct, sendFolder } from '../support/portals.ts'
import { makeRandomFile, sha256Of } from '../support/random-file.ts'
import { readArchive } from '../support/read-archive.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'

test.use({ launchOptions: direct })

/** A folder with another in it, a file of several blocks, an empty one, and two that differ in nothing but their place. */
async function makeFolder(folder: string): Promise<string> {
  const path = join(folder, 'plans')
  mkdirSync(join(path, 'north'), { recursive: true })
  await makeRandomFile({ folder: join(path, 'north'), name: 'elevation.dwg', bytes: 2_500_000 })
  writeFileSync(join(path, 'north', 'same.txt'), 'north')
  writeFileSync(join(path, 'same.txt'), 'top')
  writeFileSync(join(path, 'empty'), '')
  return path
}

const offerOf = (page: Page) => page.getByRole('alertdialog', { name: 'wants to send the folder plans' })

test('POR-04 a folder that is dropped comes through a portal as one archive with all its files, byte for byte', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await context.clock.install()
  const [sender, receiver] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const path = await makeFolder(folder)

  await dropFiles(sender, sender.getByRole('heading', { name: 'Portal Opened' }), [path])
  await expect(offerOf(receiver)).toContainText('4 files')
  await expect(offerOf(receiver)).toContainText('plans/north/elevation.dwg')
  await stopTime(sender)
  const saved = await saveDownload(receiver, folder, async () => {
    await receiver.getByRole('button', { name: 'Accept' }).click()
    await stepUntilVisible(sender.getByText('The other device has the file'))
  })

  expect(saved.name).toBe('plans.zip')
  expect(Object.fromEntries(await readArchive(saved.path))).toEqual({
    'plans/north/elevation.dwg': await sha256Of(join(path, 'north', 'elevation.dwg')),
    'plans/north/same.txt': await sha256Of(join(path, 'north', 'same.txt')),
    'plans/same.txt': await sha256Of(join(path, 'same.txt')),
    'plans/empty': await sha256Of(join(path, 'empty')),
  })
})

test('POR-04 who may choose a folder gets the folder itself, beside what lies there already', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await other.clock.install()
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const path = await makeFolder(folder)
  // The picker of a browser without a screen: it answers with a real folder that this page may write to.
  await receiver.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const chosen = await root.getDirectoryHandle('chosen', { create: true })
    await chosen.getDirectoryHandle('plans', { create: true })
    Reflect.set(window, 'showDirectoryPicker', async () => chosen)
  })

  await sendFolder(sender, path)
  await expect(offerOf(receiver)).toContainText('You choose the folder it goes to.')
  await stopTime(receiver)
  await receiver.getByRole('button', { name: 'Accept' }).click()
  await stepUntilVisible(receiver.getByText('File saved to downloads'))

  const found = await receiver.evaluate(async () => {
    async function list(folder: FileSystemDirectoryHandle, before: string): Promise<string[]> {
      const names: string[] = []
      for await (const handle of folder.values()) {
        const path = `${before}${handle.name}`
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
  expect(found).toEqual(await Promise.all(expected))
})
