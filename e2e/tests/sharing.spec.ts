import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'

const minuteMs = 60_000
const keyMissing =
  'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #'

test('SHR-01 SHR-03 a link shows name, size and time left, and gives the file to somebody without an account', async ({
  page,
  folder,
  server,
}) => {
  const { link } = await aSharedFile(server.url, 'minutes of the meeting.txt')

  await page.goto(link)

  await expect(page.getByRole('heading', { name: 'minutes of the meeting.txt' })).toBeVisible()
  await expect(page.getByText('11 Bytes')).toBeVisible()
  await expect(page.getByText(/^0h \d+m remaining$/)).toBeVisible()
  await expect(page.getByText('The key is the part of the link after #. It never reached the server.')).toBeVisible()
  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())
  expect(saved.name).toBe('minutes of the meeting.txt')
  await expect(page.getByText('Saved to your downloads')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download again' })).toBeVisible()
})

test('SHR-03 T038 a link without its key, or with a part of it, says so and asks for nothing of the server', async ({
  page,
  server,
}) => {
  const { link } = await aSharedFile(server.url)
  const [address = '', key = ''] = link.split('#')
  const asked = watchShareCalls(page)

  for (const broken of [address, `${address}#`, `${address}#${key.slice(0, -1)}`, `${address}#${key.slice(0, 20)}`]) {
    await open(page, broken)
    await expect(page.getByText(keyMissing)).toBeVisible()
  }
  const changed = key.startsWith('B') ? `C${key.slice(1)}` : `B${key.slice(1)}`
  await open(page, `${address}#${changed}`)
  await expect(page.getByRole('heading', { name: 'Invalid share link' })).toBeVisible()
  await expect(page.getByText('The file may have expired or the link is invalid.')).toBeVisible()

  expect(asked).toEqual([])
})

test('SHR-03 a link whose # a mail program wrote as %23 is put right in the address, works, and says that its key has travelled', async ({
  page,
  server,
}) => {
  const { link } = await aSharedFile(server.url, 'mended.txt')

  await page.goto(link.replace('#', '%23'))

  await expect(page.getByRole('heading', { name: 'mended.txt' })).toBeVisible()
  expect(page.url()).toBe(link)
  await expect(page.getByText('In this link the # was written as %23, so it did reach the server.')).toBeVisible()
})

test('SHR-04 FIL-21 a link to a file that was deleted, has expired or never was says that it is not found', async ({
  page,
  server,
}) => {
  const { account, id, link } = await aSharedFile(server.url)
  const gone = page.getByRole('heading', { name: 'File not found or expired' })

  await server.setClock(61 * minuteMs)
  await open(page, link)
  await expect(gone).toBeVisible()
  await expect(page.getByText('The file may have expired or the link is invalid.')).toBeVisible()

  await server.setClock(0)
  await open(page, link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await account.call(files.remove, { params: { id } })
  await open(page, link)
  await expect(gone).toBeVisible()

  await open(page, link.replace(/\/s\/[^#]+/, '/s/AAAAAAAAAAAAAAAAAAAAAA'))
  await expect(gone).toBeVisible()
})

test('SHR-04 a file that goes between the page and the press of the button is told, and nothing is saved', async ({
  page,
  server,
}) => {
  const { account, id, link } = await aSharedFile(server.url)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await account.call(files.remove, { params: { id } })

  await page.getByRole('button', { name: 'Download' }).click()

  await expect(page.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
})

test('SHR-04 a share that arrives without its key says that the link may be corrupted', async ({ page, server }) => {
  const { link } = await aSharedFile(server.url)
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

test('T014 FIL-14 a download whose record size is missing or was changed ends in words and saves nothing', async ({
  page,
  server,
}) => {
  const { link } = await aSharedFile(server.url)
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  for (const size of [null, '524287', '524289', '1048576', '-1', '1e309', '524288abc']) {
    await page.unrouteAll()
    await page.route('**/api/share/*', async (route) => {
      const response = await route.fetch()
      const { 'x-chunk-size': __, ...headers } = response.headers()
      await route.fulfill({ response, headers: size === null ? headers : { ...headers, 'x-chunk-size': size } })
    })

    await open(page, link)
    const button = page.getByRole('button', { name: 'Download' })
    const trouble = page.getByText('The file may have expired or the link is invalid.')
    await expect(button.or(trouble)).toBeVisible()
    if (await button.isVisible()) await button.click()

    await expect(trouble, `X-Chunk-Size: ${size}`).toBeVisible()
  }
  expect(saved).toBe(0)
})

test('T029 T041 a download that is cut off or damaged on its way ends as failed, saves nothing and is not told to the server', async ({
  page,
  server,
}) => {
  const { link } = await aSharedFile(server.url, 'torn.bin', new Uint8Array(2_000_000))
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  for (const spoil of [cutAt60Percent, flipOneBit]) {
    await page.unrouteAll()
    await open(page, link)
    await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
    const asked = watchShareCalls(page)
    await page.route('**/api/share/*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: spoil(await response.body()) })
    })

    await page.getByRole('button', { name: 'Download' }).click()

    await expect(page.getByText('The file may have expired or the link is invalid.')).toBeVisible({ timeout: 30_000 })
    expect(asked.filter((call) => !/^(GET|HEAD) /.test(call))).toEqual([])
  }
  expect(saved).toBe(0)
})

const cutAt60Percent = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * 0.6))

function flipOneBit(bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(700_000) ^ 1, 700_000)
  return flipped
}

async function aSharedFile(
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

/** A new page load each time: the browser would not load again for a change after # alone. */
async function open(page: Page, link: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(link)
}

function watchShareCalls(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(`${request.method()} ${request.url()}`)
  })
  return asked
}
