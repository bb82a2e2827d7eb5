import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../../support/account/account.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'

const minuteMs = 60_000
const keyMissingMessage =
  'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #'

test('SHR-01 SHR-03 a link shows name, size and time left, and downloads the file without an account', async ({
  page,
  folder,
  server,
}) => {
  const { link } = await createSharedFile(server.url, 'minutes of the meeting.txt')

  await page.goto(link)

  await expect(page.getByRole('heading', { name: 'minutes of the meeting.txt' })).toBeVisible()
  await expect(page.getByText('11 Bytes')).toBeVisible()
  await expect(page.getByText(/^0h \d+m remaining$/)).toBeVisible()
  await expect(page.getByText('The key is the part of the link after #. It’s never sent to the server.')).toBeVisible()
  const downloadCount = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())
  expect(downloadCount.name).toBe('minutes of the meeting.txt')
  await expect(page.getByText('Saved to your downloads')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download again' })).toBeVisible()
})

test('SHR-03 T038 a link without its key or with a partial one shows an error and sends no request', async ({
  page,
  server,
}) => {
  const { link } = await createSharedFile(server.url)
  const [address = '', key = ''] = link.split('#')
  const requests = recordApiCalls(page)

  for (const broken of [address, `${address}#`, `${address}#${key.slice(0, -1)}`, `${address}#${key.slice(0, 20)}`]) {
    await openFresh(page, broken)
    await expect(page.getByText(keyMissingMessage)).toBeVisible()
  }
  const changed = key.startsWith('B') ? `C${key.slice(1)}` : `B${key.slice(1)}`
  await openFresh(page, `${address}#${changed}`)
  await expect(page.getByRole('heading', { name: 'Invalid share link' })).toBeVisible()
  await expect(page.getByText('Ask the sender for the full link, or paste the whole link')).toBeVisible()
  await expect(page.getByText('expired')).toBeHidden()

  expect(requests).toEqual([])
})

test('SHR-03 a link whose # was rewritten as %23 is repaired in the URL, works, and says that its key was sent', async ({
  page,
  server,
}) => {
  const { link } = await createSharedFile(server.url, 'mended.txt')

  await page.goto(link.replace('#', '%23'))

  await expect(page.getByRole('heading', { name: 'mended.txt' })).toBeVisible()
  expect(page.url()).toBe(link)
  await expect(page.getByText('In this link the # was written as %23, so it was sent to the server.')).toBeVisible()
})

test('SHR-03 a link with what mail and chat programs add to its end opens', async ({ page, server }) => {
  const { link } = await createSharedFile(server.url, 'carried.txt')

  for (const ending of ['.', ')', '”', '%3E', '&x=1', '\u200b', '%20Please answer', '%0A%0ASent from my phone']) {
    await openFresh(page, link + ending)
    await expect(page.getByRole('heading', { name: 'carried.txt' }), ending).toBeVisible()
  }
})

test('SHR-04 FIL-21 a link to a deleted, expired or unknown file says that it was not found', async ({
  page,
  server,
}) => {
  const { account, id, link } = await createSharedFile(server.url)
  const notFoundHeading = page.getByRole('heading', { name: 'File not found or expired' })

  await server.setClock(61 * minuteMs)
  await openFresh(page, link)
  await expect(notFoundHeading).toBeVisible()
  await expect(page.getByText('The file may have expired or the link is invalid.')).toBeVisible()

  await server.setClock(0)
  await openFresh(page, link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await account.call(files.remove, { params: { id } })
  await openFresh(page, link)
  await expect(notFoundHeading).toBeVisible()

  await openFresh(page, link.replace(/\/s\/[^#]+/, '/s/AAAAAAAAAAAAAAAAAAAAAA'))
  await expect(notFoundHeading).toBeVisible()
})

test('SHR-04 a file deleted after the page was loaded shows an error on download, and nothing is saved', async ({
  page,
  server,
}) => {
  const { account, id, link } = await createSharedFile(server.url)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await account.call(files.remove, { params: { id } })

  await page.getByRole('button', { name: 'Download' }).click()

  await expect(page.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
})

test('SHR-04 a share response without its key says that the link may be corrupted', async ({ page, server }) => {
  const { link } = await createSharedFile(server.url)
  await page.route('**/api/share/*', async (route) => {
    const response = await route.fetch()
    const { 'x-share-encrypted-file-key': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })

  await page.goto(link)

  await expect(
    page.getByRole('heading', {
      name: 'No share-encrypted file key found. This share link may be corrupted or expired.',
    }),
  ).toBeVisible()
})

test('T014 FIL-14 a download with a missing or changed record size fails with a message and saves nothing', async ({
  page,
  server,
}) => {
  const { link } = await createSharedFile(server.url)
  let downloadCount = 0
  page.on('download', () => {
    downloadCount += 1
  })
  for (const size of [null, '524287', '524289', '1048576', '-1', '1e309', '524288abc']) {
    await page.unrouteAll()
    await page.route('**/api/share/*', async (route) => {
      const response = await route.fetch()
      const { 'x-chunk-size': __, ...headers } = response.headers()
      await route.fulfill({ response, headers: size === null ? headers : { ...headers, 'x-chunk-size': size } })
    })

    await openFresh(page, link)
    const button = page.getByRole('button', { name: 'Download' })
    const errorMessage = page.getByText('The file may have expired or the link is invalid.')
    await expect(button.or(errorMessage)).toBeVisible()
    if (await button.isVisible()) await button.click()

    await expect(errorMessage, `X-Chunk-Size: ${size}`).toBeVisible()
  }
  expect(downloadCount).toBe(0)
})

test('T029 T041 a truncated or corrupted download fails, saves nothing and is not reported to the server', async ({
  page,
  server,
}) => {
  const { link } = await createSharedFile(server.url, 'torn.bin', new Uint8Array(2_000_000))
  let downloadCount = 0
  page.on('download', () => {
    downloadCount += 1
  })
  for (const corrupt of [cutAt60Percent, flipOneBit]) {
    await page.unrouteAll()
    await openFresh(page, link)
    await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
    const requests = recordApiCalls(page)
    await page.route('**/api/share/*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: corrupt(await response.body()) })
    })

    await page.getByRole('button', { name: 'Download' }).click()

    await expect(page.getByText('The file may have expired or the link is invalid.')).toBeVisible()
    expect(requests.filter((call) => !/^(GET|HEAD) /.test(call))).toEqual([])
  }
  expect(downloadCount).toBe(0)
})

const cutAt60Percent = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * 0.6))

function flipOneBit(bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(700_000) ^ 1, 700_000)
  return flipped
}

async function createSharedFile(
  url: string,
  name = 'shared.txt',
  content: Uint8Array<ArrayBuffer> | string = 'hello world',
) {
  const account = await createAccount(url)
  const id = await account.upload(new File([content], name), 60)
  return { account, id, link: await share(url, account, id) }
}

async function share(origin: string, { call, accountKey }: Account, id: string): Promise<string> {
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  return shareFile(call, { id, encryptedFileKey, accountKey, origin })
}

/** Forces a new page load, as the browser does not reload for a changed fragment. */
async function openFresh(page: Page, link: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(link)
}

function recordApiCalls(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) requests.push(`${request.method()} ${request.url()}`)
  })
  return requests
}
