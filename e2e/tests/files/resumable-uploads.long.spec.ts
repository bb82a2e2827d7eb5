import { request } from 'node:http'
import { join } from 'node:path'
import { createCaller } from '@sallyport/client/call'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { dropZone, fileRow } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { signInWithTestFile } from '../../support/files/resumable-uploads.ts'
import { prepareSealedUpload } from '../../support/files/sealed-upload.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

test('T132 unfinished uploads of other devices are shown, say why nothing can be uploaded, and are discarded', async ({
  page,
  folder,
  server,
}) => {
  const { account, file } = await signInWithTestFile(page, { url: server.url, folder })
  const elsewhere = await Promise.all(Array.from({ length: 10 }, () => prepareSealedUpload(account, 3)))
  for (const upload of elsewhere) await upload.send(server.url, 0)
  const unfinished = page.getByRole('region', { name: 'Unfinished on other devices' })

  await dropFiles(page, dropZone(page), [file.path])
  await expect(page.getByText(/Too many uploads are open/)).toBeVisible({ timeout: 240_000 })
  await expect(unfinished.getByRole('listitem')).toHaveCount(10)
  await expect(unfinished.getByText(/^\d+(\.\d+)?% of .* received$/).first()).toBeVisible()
  await expectAccessible(page, 'unfinished uploads of other devices')
  await unfinished.getByRole('button', { name: 'Discard noise.bin' }).first().click()
  await expect(unfinished.getByRole('listitem')).toHaveCount(9)
  await unfinished.getByRole('button', { name: 'Discard all' }).click()
  await expect(unfinished).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry' }).click()

  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 240_000 })
})

test('T132 small uploads that a crash has cut off do not count as open after a restart', async ({ folder }) => {
  const server = await startServer({ dataFolder: join(folder, 'data') })
  const account = await createAccount(server.url)
  const upload = await prepareSealedUpload(account, 1)
  const { headers } = upload.requestFor(server.url, 0)
  const bytes = upload.chunks[0] ?? Buffer.alloc(0)
  const sockets = Array.from({ length: 10 }, () => {
    const { 'x-upload-id': _, 'x-chunk-index': __, 'x-chunk-size': ___, ...rest } = headers
    const sent = request(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { ...rest, 'content-length': String(bytes.length) },
    })
    sent.on('error', () => undefined)
    sent.write(bytes.subarray(0, 10))
    return sent
  })
  await expect.poll(async () => (await account.call(files.openUploads, {})).uploads.length).toBe(10)
  await server.kill()
  for (const socket of sockets) socket.destroy()

  const restarted = await startServer({ dataFolder: join(folder, 'data') })
  const { uploads } = await createCaller({
    baseUrl: restarted.url,
    fetch,
    getAccessToken: async () => account.accessToken,
  })(files.openUploads, {})
  await restarted.stop()

  expect(uploads).toEqual([])
})
