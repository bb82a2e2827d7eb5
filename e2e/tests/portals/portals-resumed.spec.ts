import type { Download, Page } from '@playwright/test'
import { makeRandomFile, type RandomFile, sha256Of } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  allowBytes,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  sendFiles,
} from '../../support/portals/portals.ts'
import { countPersisted } from '../../support/portals/resumed-transfers.ts'

const megabyte = 1_000_000

test.use({ launchOptions: directConnectionOptions })

/** Counts the files of transfers that are recorded as saved. */
const countSaved = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const request = indexedDB.open('sallyport-portals')
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const all = database.transaction('arrivals').objectStore('arrivals').getAll()
    const received = await new Promise<{ finished: readonly number[] }[]>((resolve) => {
      all.onsuccess = () => resolve(all.result)
    })
    database.close()
    return received.reduce((sum, { finished }) => sum + finished.length, 0)
  })

test('of several small files the saved ones are not sent again after both pages were closed', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFileData(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const files: RandomFile[] = []
  for (const name of ['one.bin', 'two.bin', 'three.bin'])
    files.push(await makeRandomFile({ folder, name, bytes: megabyte }))
  const paths = files.map(({ path }) => path)
  await allowBytes(sender, 1.5 * megabyte)
  await sendFiles(sender, paths)
  const first = await acceptFile(receiver, folder)
  await expect.poll(() => countSaved(receiver)).toBe(1)
  await Promise.all([sender.close(), receiver.close()])

  const [newSender, newReceiver] = await connectAtPortal([context, other], server.url)
  const downloads: Download[] = []
  newReceiver.on('download', (download) => downloads.push(download))
  const button = newSender.getByRole('button', { name: 'Choose file one.bin' })
  const [chooser] = await Promise.all([newSender.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(paths)
  await expect.poll(() => countPersisted(newReceiver).then(({ transfers }) => transfers)).toBe(0)
  await expect.poll(() => downloads.length).toBeGreaterThan(1)
  const laterDigests = await Promise.all(downloads.map((download) => download.path().then(sha256Of)))

  expect([first.sha256, ...laterDigests]).toEqual(files.map(({ sha256 }) => sha256))
})
