import { openAsBlob } from 'node:fs'
import { createAccount } from '../../support/account/account.ts'
import { expectFiles, fileRow, signIn, signUp } from '../../support/account/users.ts'
import { recordVideo } from '../../support/browser/record-video.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, pathsOf, type RandomFile } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import { startUploadProxy } from '../../support/network/upload-proxy.ts'
import { chooseFiles, expect, test } from './journey.ts'

const megabyte = 1024 * 1024

test('after sign-up, files of 1 KB to 150 MB download unchanged, one by one and as an archive', async ({
  page,
  folder,
}) => {
  await signUp(page)
  const files: RandomFile[] = []
  for (const bytes of [1000, 6 * megabyte, 60 * megabyte, 150 * megabyte]) {
    const file = await makeRandomFile({ folder, name: `${bytes}.bin`, bytes })
    files.push(file)
    await chooseFiles(page, [file.path])
    await expect(fileRow(page, file.name)).toBeVisible({ timeout: 60_000 })
    const download = () => page.getByRole('button', { name: `Download ${file.name}` }).click()
    expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
  }

  const all = () => page.getByRole('button', { name: 'Download All' }).click()
  const saved = await saveDownload(page, folder, all)

  const expected = files.map(({ name, sha256 }) => [name, sha256])
  expect([...(await readArchive(saved.path))].toSorted()).toEqual(expected.toSorted())
})

for (const [where, prepare] of [
  ['with OPFS', async () => undefined],
  ['through the service worker without OPFS', withoutOpfs],
] as const) {
  test(`a share link downloads the same bytes ${where}`, async ({ context, page, folder, server }) => {
    await prepare(context)
    for (const megabytes of [3, 150]) {
      const file = await makeRandomFile({ folder, name: `${megabytes}.bin`, bytes: megabytes * megabyte })
      const { link } = await shareByLink(server.url, new File([await openAsBlob(file.path)], file.name))
      await page.goto(link)
      await expect(page.getByRole('heading', { name: file.name })).toBeVisible()
      const download = () => page.getByRole('button', { name: 'Download' }).click()

      const saved = await saveDownload(page, folder, download)

      await expect(page.getByText('Complete')).toBeVisible()
      expect(saved.sha256).toBe(file.sha256)
      await page.goto('about:blank')
    }
  })
}

test('a video plays and seeks in the page, from memory and while it streams', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const film = await recordVideo(page, 40)
  await account.upload(new File([film], 'short.webm'), 60)
  await account.upload(new File([film, new Uint8Array(150 * megabyte)], 'long.webm'), 60)

  for (const [name, scheme] of [
    ['short.webm', 'blob:'],
    ['long.webm', 'http:'],
  ] as const) {
    await page.getByRole('button', { name: `Show ${name}` }).click()
    const video = page.getByRole('dialog').locator('video')
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(64)
    const position = await video.evaluate(async (element: HTMLVideoElement) => {
      const done = new Promise((resolve) => element.addEventListener('seeked', resolve))
      element.currentTime = 1
      await done
      return { at: element.currentTime, scheme: new URL(element.src).protocol }
    })
    expect(position).toEqual({ at: 1, scheme })
    await page.keyboard.press('Escape')
  }
})

test('an upload that a reload interrupts resumes with the same file', async ({ page, server, folder }) => {
  const proxy = await startUploadProxy(server.url)
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 60 * megabyte + 17 })
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, await createAccount(server.url), proxy.url)
  const half = proxy.holdChunksFrom(2)
  await chooseFiles(page, [file.path])
  await half

  await page.reload()
  proxy.cut()
  proxy.release()
  await expectFiles(page)
  const card = page.getByRole('region', { name: 'Uploads to resume' })
  await expect(card.getByText(/^Choose site-photos\.zip again to resume at \d\d%$/)).toBeVisible()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    card.getByRole('button', { name: 'Choose file site-photos.zip' }).click(),
  ])
  await chooser.setFiles(pathsOf([file]))

  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 60_000 })
  const download = () => page.getByRole('button', { name: `Download ${file.name}` }).click()
  expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
  await proxy.close()
})
