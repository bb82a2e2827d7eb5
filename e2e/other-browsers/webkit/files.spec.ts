import { openAsBlob } from 'node:fs'
import { makeRandomFile, type RandomFile } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import { startUploadProxy } from '../../support/network/upload-proxy.ts'
import { expect, signUp, test } from './journey.ts'

const megabyte = 1024 * 1024

test('after sign-up, files of 1 KB to 150 MB download unchanged, one by one and as an archive', async ({
  openWebkit,
  server,
  folder,
}) => {
  test.setTimeout(240_000)
  const visitor = await openWebkit()
  await signUp(visitor, server.url)
  const files: RandomFile[] = []
  for (const bytes of [1000, 6 * megabyte, 60 * megabyte, 150 * megabyte]) {
    const file = await makeRandomFile({ folder, name: `${bytes}.bin`, bytes })
    files.push(file)
    await visitor.chooseFile(file.path)
    await visitor.click('button', `Download ${file.name}`, 90_000)
    await visitor.expectSaved(file.name, file.sha256)
  }

  await visitor.click('button', 'Download All')
  const expected = files.map(({ name, sha256 }) => [name, sha256])
  const archived = async () => [...(await readArchive(visitor.savedPath('sallyport-files.zip')).catch(() => []))]
  await expect.poll(async () => (await archived()).toSorted(), { timeout: 90_000 }).toEqual(expected.toSorted())
})

test('a share link downloads the same bytes from memory and through the service worker', async ({
  openWebkit,
  server,
  folder,
}) => {
  const visitor = await openWebkit()
  for (const megabytes of [3, 150]) {
    const file = await makeRandomFile({ folder, name: `${megabytes}.bin`, bytes: megabytes * megabyte })
    const { link } = await shareByLink(server.url, new File([await openAsBlob(file.path)], file.name))
    await visitor.goto(link)
    await visitor.expectText(file.name)
    await visitor.click('button', 'Download')
    await visitor.expectText('Complete', 90_000)
    await visitor.expectSaved(file.name, file.sha256)
    await visitor.goto('about:blank')
  }
})

test('an upload that a reload interrupts resumes with the same file', async ({ openWebkit, server, folder }) => {
  const proxy = await startUploadProxy(server.url)
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 60 * megabyte + 17 })
  const visitor = await openWebkit()
  await signUp(visitor, proxy.url)
  const half = proxy.holdChunksFrom(2)
  await visitor.chooseFile(file.path)
  await half

  await visitor.reload()
  proxy.cut()
  proxy.release()
  await visitor.expectText(/Choose site-photos\.zip again to resume at \d\d%/)

  await proxy.close()
})
