import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import { listOpfs } from '../../support/browser/opfs.ts'
import { bytes, createOwnDownload, downloadHalf, waitingForServer } from '../../support/files/resumed-downloads.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const listPartialDownloads = async (context: BrowserContext): Promise<string[]> =>
  (await listOpfs(context.pages()[0] as Page)).filter((name) => name.startsWith('partial-'))

test.describe.configure({ timeout: 600_000 })

/** Finds which of these byte sequences (hexadecimal) occur in the OPFS of the page. */
const findInOpfs = (page: Page, wanted: readonly string[]): Promise<string[]> =>
  page.evaluate(async (sequences) => {
    const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
    const texts: string[] = []
    async function read(folder: FileSystemDirectoryHandle): Promise<void> {
      for await (const entry of folder.values()) {
        if (entry.kind === 'directory') await read(entry as FileSystemDirectoryHandle)
        else texts.push(latin1(await (await (entry as FileSystemFileHandle).getFile()).bytes()))
      }
    }
    await read(await navigator.storage.getDirectory())
    const textOf = (hex: string) => latin1(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
    return sequences.filter((hex) => texts.some((text) => text.includes(textOf(hex))))
  }, wanted)

test('FIL-14 an interrupted download leaves no plaintext on the disk', async ({
  page,
  context,
  server,
  folder,
  throughProxy,
}) => {
  const scenario = await createOwnDownload(server.url, folder)
  throughProxy(scenario.proxy, scenario.proxy.close)
  const release = await downloadHalf(scenario, page)
  scenario.proxy.disconnect()
  release()
  await expect(waitingForServer(page)).toBeVisible()
  const plaintext = readFileSync(scenario.file.path)
  const samples = Array.from({ length: 48 }, (_, index) => {
    const start = Math.floor((index * bytes) / 48)
    return plaintext.toString('hex', start, start + 32)
  })

  expect(await listPartialDownloads(context)).toHaveLength(1)
  expect(await findInOpfs(page, samples)).toEqual([])
})

test('T037 sign-out deletes partial downloads', async ({ page, context, server, folder, throughProxy }) => {
  const scenario = await createOwnDownload(server.url, folder)
  throughProxy(scenario.proxy, scenario.proxy.close)
  const release = await downloadHalf(scenario, page)
  const reconnect = scenario.proxy.disconnect()
  await expect(waitingForServer(page)).toBeVisible()
  const partialsBefore = await listPartialDownloads(context)
  reconnect()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()

  expect(partialsBefore).toHaveLength(1)
  await expect.poll(() => listPartialDownloads(context)).toEqual([])
  release()
})
