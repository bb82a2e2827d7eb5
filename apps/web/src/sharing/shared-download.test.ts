import { ApiError, NetworkError } from '@sallyport/client/errors'
import { createSubject } from '@sallyport/client/observable'
import {
  createFileHeader,
  createFileKey,
  createShareKey,
  deriveFileKeys,
  encodeShareFragment,
  sealName,
  wrapFileKey,
} from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#/testing/until.ts'
import type { Downloads, ListedDownload } from '#/transfers/downloads.ts'
import { openSharedDownload } from './shared-download.ts'

const origin = 'https://files.example.org'

/** The page's downloads with their progress in our hands; the engine behind them has tests of its own. */
function createManualDownloads() {
  const items = createSubject<readonly ListedDownload[]>([])
  const started: Parameters<Downloads['start']>[0][] = []
  const change = (state: ListedDownload['state']) => items.set(items.current().map((item) => ({ ...item, state })))
  const downloads: Downloads = {
    ...items,
    start(wanted) {
      started.push(wanted)
      items.set([...items.current(), { id: String(started.length), ...wanted, state: { status: 'waiting' } }])
      return String(started.length)
    },
    cancel: () => change({ status: 'cancelled' }),
    retry: () => undefined,
    dismiss: (id) => items.set(items.current().filter((item) => item.id !== id)),
  }
  return { downloads, started, change, items }
}

/** A server that shares one file and notes what it is asked for. */
async function shareOneFile(isCut: () => boolean, isUsedUp: () => boolean) {
  const fileKey = createFileKey()
  const shareKey = createShareKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind: 'personal', plainBytes: 1000 }))
  const headers = {
    'X-Share-Encrypted-File-Key': await wrapFileKey({ fileKey, keys, root: shareKey, wrapType: 'share' }),
    'X-Expires-At': '1800000000000',
    'X-Chunk-Size': String(keys.header.recordBytes),
    'Content-Disposition': `attachment; filename="${await sealName({ name: 'plan.pdf', mimeType: '', lastModified: 0 }, keys)}"`,
  }
  const seen: string[] = []
  const fetch = (async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(url)
    seen.push(`${method} ${pathname}`)
    if (isCut()) throw new TypeError('fetch failed')
    if (pathname === '/api/share/token' && !isUsedUp()) return new Response(null, { headers })
    return new Response(null, { status: 404 })
  }) as typeof globalThis.fetch
  return { link: `${origin}/s/token#${await encodeShareFragment(shareKey)}`, fetch, seen }
}

interface Opening {
  readonly isCut?: () => boolean
  readonly isUsedUp?: () => boolean
  readonly alter?: (link: string) => string
}

async function openLink({ isCut = () => false, isUsedUp = () => false, alter = (link) => link }: Opening = {}) {
  const server = await shareOneFile(isCut, isUsedUp)
  const link = alter(server.link)
  const manual = createManualDownloads()
  const connection = { baseUrl: origin, accessToken: async () => null, fetch: server.fetch }
  const shared = openSharedDownload({ link, connection, downloads: manual.downloads })
  onTestFinished(shared.watch())
  await until(() => shared.view.current().state !== 'loading')
  return { shared, seen: server.seen, link, ...manual }
}

test('opening a link tells name and size, and asks for no byte of the file (SHR-03)', async () => {
  const { shared, seen, started } = await openLink()

  expect(shared.view.current()).toMatchObject({
    state: 'ready',
    file: { name: 'plan.pdf', sizeBytes: 1000, expiresAt: 1_800_000_000_000 },
  })
  expect(seen).toEqual(['HEAD /api/share/token'])
  expect(started).toEqual([])
})

test('a press of the button starts the download; its progress and its end are shown (SHR-03)', async () => {
  const { shared, change, items } = await openLink()

  shared.download()
  expect(shared.view.current()).toMatchObject({ state: 'downloading', deliveredBytes: 0, bytesPerSecond: null })

  change({ status: 'receiving', receivedBytes: 580, totalBytes: 1000, bytesPerSecond: 42, startedAt: 0, place: 'disk' })
  expect(shared.view.current()).toMatchObject({ state: 'downloading', deliveredBytes: 580, secondsLeft: 10 })

  change({ status: 'done', saved: { blob: new Blob() } })
  expect(shared.view.current()).toMatchObject({ state: 'complete' })
  expect(items.current()).toEqual([])
})

test('a completed download may be repeated while the link gives the file, also where that cannot be found out', async () => {
  for (const isAway of [false, true]) {
    let isCut = false
    const { shared, change } = await openLink({ isCut: () => isCut })
    shared.download()
    isCut = isAway
    change({ status: 'done', saved: { blob: new Blob() } })
    expect(shared.view.current()).toMatchObject({ state: 'complete', repeat: 'checking' })

    await expect.poll(shared.view.current).toMatchObject({ state: 'complete', repeat: 'possible' })
  }
})

test('SHR-01 a download that used up its link is complete, and no other one is offered', async () => {
  let isUsedUp = false
  const { shared, seen, change } = await openLink({ isUsedUp: () => isUsedUp })
  shared.download()
  isUsedUp = true

  change({ status: 'done', saved: { blob: new Blob() } })

  await expect.poll(shared.view.current).toMatchObject({ state: 'complete', repeat: 'used-up' })
  expect(seen, 'it is looked up, not downloaded').toEqual(Array(2).fill('HEAD /api/share/token'))
})

test('a cancelled download leads back to the button', async () => {
  const { shared } = await openLink()
  shared.download()

  shared.cancel()

  expect(shared.view.current()).toMatchObject({ state: 'ready' })
})

test('a link without its key is told so before anything is asked of the server (SHR-03)', async () => {
  const { shared, seen, link } = await openLink({ alter: (whole) => whole.split('#')[0] ?? '' })

  expect(shared.view.current()).toEqual({ state: 'missing-key', link })
  expect(seen).toEqual([])
})

test('a mistyped key is told so before anything is asked of the server (SHR-04)', async () => {
  const { shared, seen } = await openLink({
    alter: (whole) => `${whole.slice(0, -1)}${whole.endsWith('A') ? 'B' : 'A'}`,
  })

  expect(shared.view.current()).toMatchObject({ state: 'unavailable', cause: 'Invalid share link', canRetry: false })
  expect(seen).toEqual([])
})

test('a file that is gone is told so, and trying again is not offered (SHR-04)', async () => {
  const { shared } = await openLink({ alter: (whole) => whole.replace('/s/token', '/s/other') })

  expect(shared.view.current()).toEqual({ state: 'unavailable', cause: 'File not found or expired', canRetry: false })
})

test('a lost network may be tried again, and then the file is found', async () => {
  let isCut = true
  const { shared } = await openLink({ isCut: () => isCut })
  expect(shared.view.current()).toMatchObject({ state: 'unavailable', canRetry: true })

  isCut = false
  shared.retry()

  await until(() => shared.view.current().state === 'ready')
})

test('a download that fails for want of a network may be tried again, one that is refused may not', async () => {
  const { shared, change, started } = await openLink()

  shared.download()
  change({ status: 'failed', error: new NetworkError('Download failed due to network error') })
  expect(shared.view.current()).toEqual({
    state: 'unavailable',
    cause: 'Download failed due to network error',
    canRetry: true,
  })

  shared.retry()
  expect(started).toHaveLength(2)
  change({ status: 'failed', error: new ApiError({ status: 404, code: null, message: 'File not found or expired' }) })
  expect(shared.view.current()).toMatchObject({ cause: 'File not found or expired', canRetry: false })
})
