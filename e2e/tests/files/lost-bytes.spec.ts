import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'

const sentence = 'The server has lost this file'

test('FIL-17 SHR-04 a file whose bytes are lost is named by a download, the archive and the share page, and requested once', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  const id = await account.upload(new File(['eleven byte'], 'gone.txt'))
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { call, accountKey } = account
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })
  loseBytes(server.dataFolder, id)
  await openFiles(page, account)
  const requests: string[] = []
  page.context().on('request', (request) => requests.push(new URL(request.url()).pathname))

  await page.getByRole('button', { name: 'Download gone.txt' }).click()
  await expect(page.getByRole('region', { name: 'Downloads' })).toContainText(sentence)
  expect(requests.filter((path) => path.startsWith('/api/download/'))).toHaveLength(1)

  await page.getByRole('button', { name: 'Download All' }).click()
  const archive = page.getByRole('region', { name: 'All files as one archive' })
  await expect(archive.getByRole('alert')).toContainText(`gone.txt: ${sentence}`)

  const visitor = await (await anotherBrowser()).newPage()
  await visitor.goto(link)
  await visitor.getByRole('button', { name: 'Download' }).click()
  await expect(visitor.getByRole('heading', { name: sentence })).toBeVisible()
  await expect(visitor.getByText('Ask the sender to upload it again.')).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Try again' })).toBeHidden()
})

function loseBytes(dataFolder: string, fileId: string): void {
  const volume = join(dataFolder, 'volumes', 'main')
  const objects = readdirSync(volume, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(fileId))
  for (const path of objects) rmSync(join(volume, path), { recursive: true })
}
