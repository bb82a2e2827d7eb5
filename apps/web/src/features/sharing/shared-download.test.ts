import { ApiError, NetworkError } from '@sallyport/client/errors'
import {
  createFileHeader,
  createFileKey,
  createShareKey,
  deriveFileKeys,
  encodeShareFragment,
  sealName,
  wrapFileKey,
} from '@sallyport/crypto'
import type { Downloads } from '@sallyport/transfers/browser/downloads/downloads'
import type { JobState } from '@sallyport/transfers/engine/job'
import { createJobList } from '@sallyport/transfers/engine/job-list'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { openSharedDownload } from './shared-download.ts'

const origin = 'https://files.example.org'

/** Downloads whose progress the test controls. */
function createManualDownloads() {
  const started: Parameters<Downloads['start']>[0][] = []
  let setState: (state: JobState) => void = () => undefined
  const downloads: Downloads = createJobList<Parameters<Downloads['start']>[0]>({
    kind: 'download',
    run(input, update) {
      started.push(input)
      setState = update
      return { cancel: () => update({ status: 'cancelled' }) }
    },
  })
  return { downloads, started, setState: (state: JobState) => setState(state) }
}

/** A server that shares one file and records its requests. */
async function startShareServer(isCut: () => boolean, isUsedUp: () => boolean) {
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

interface OpenLinkOptions {
  readonly isOffline?: () => boolean
  readonly isUsedUp?: () => boolean
  readonly alterLink?: (link: string) => string
}

async function openLink({
  isOffline = () => false,
  isUsedUp = () => false,
  alterLink = (link) => link,
}: OpenLinkOptions = {}) {
  const server = await startShareServer(isOffline, isUsedUp)
  const link = alterLink(server.link)
  const manual = createManualDownloads()
  const connection = { baseUrl: origin, getAccessToken: async () => null, fetch: server.fetch }
  const shared = openSharedDownload({ link, connection, downloads: manual.downloads })
  onTestFinished(shared.watch())
  await until(() => shared.view.current().state !== 'loading')
  return { shared, seen: server.seen, link, ...manual }
}

test('opening a link shows name and size without requesting the content (SHR-03)', async () => {
  const { shared, seen, started } = await openLink()

  expect(shared.view.current()).toMatchObject({
    state: 'ready',
    file: { name: 'plan.pdf', sizeBytes: 1000, expiresAt: 1_800_000_000_000 },
  })
  expect(seen).toEqual(['HEAD /api/share/token'])
  expect(started).toEqual([])
})

test('a file that seems over is offered until the server says that it is gone (SHR-03)', async () => {
  let isGone = false
  let isOffline = false
  const { shared } = await openLink({ isUsedUp: () => isGone, isOffline: () => isOffline })

  await shared.recheck()
  const listed = shared.view.current()
  isOffline = true
  await shared.recheck()
  const offline = shared.view.current()
  isOffline = false
  isGone = true
  await shared.recheck()

  expect([listed.state, offline.state]).toEqual(['ready', 'ready'])
  expect(shared.view.current()).toMatchObject({ state: 'unavailable', canRetry: false })
})

test('a download that has begun is not replaced by what the server says about the file (SHR-03)', async () => {
  let isGone = false
  const { shared } = await openLink({ isUsedUp: () => isGone })

  shared.download()
  await shared.recheck()
  isGone = true
  await shared.recheck()

  expect(shared.view.current()).toMatchObject({ state: 'downloading' })
})

test('clicking the button starts the download and shows progress and completion (SHR-03)', async () => {
  const { shared, setState, downloads } = await openLink()

  shared.download()
  expect(shared.view.current()).toMatchObject({ state: 'downloading', job: { state: { status: 'waiting' } } })

  setState({ status: 'transferring', deliveredBytes: 580, bytesPerSecond: 42, startedAt: 0 })
  expect(shared.view.current()).toMatchObject({ state: 'downloading', job: { state: { deliveredBytes: 580 } } })

  setState({ status: 'done' })
  expect(shared.view.current()).toMatchObject({ state: 'complete' })
  expect(downloads.current()).toEqual([])
})

test('a completed download can be repeated while the link is valid, or if that cannot be checked', async () => {
  for (const isOfflineAfter of [false, true]) {
    let isOffline = false
    const { shared, setState } = await openLink({ isOffline: () => isOffline })
    shared.download()
    isOffline = isOfflineAfter
    setState({ status: 'done' })
    expect(shared.view.current()).toMatchObject({ state: 'complete', repeat: 'checking' })

    await expect.poll(shared.view.current).toMatchObject({ state: 'complete', repeat: 'possible' })
  }
})

test('SHR-01 a download that used up its link is complete and cannot be repeated', async () => {
  let isUsedUp = false
  const { shared, seen, setState } = await openLink({ isUsedUp: () => isUsedUp })
  shared.download()
  isUsedUp = true

  setState({ status: 'done' })

  await expect.poll(shared.view.current).toMatchObject({ state: 'complete', repeat: 'used-up' })
  expect(seen, 'the file is checked, not downloaded').toEqual(Array(2).fill('HEAD /api/share/token'))
})

test('cancelling a download returns to the ready state', async () => {
  const { shared } = await openLink()
  shared.download()

  shared.cancel()

  expect(shared.view.current()).toMatchObject({ state: 'ready' })
})

test('a link without its key is detected before any request to the server (SHR-03)', async () => {
  const { shared, seen, link } = await openLink({ alterLink: (whole) => whole.split('#')[0] ?? '' })

  expect(shared.view.current()).toEqual({ state: 'missing-key', link })
  expect(seen).toEqual([])
})

test('a mistyped key is detected before any request to the server (SHR-04)', async () => {
  const { shared, seen } = await openLink({
    alterLink: (whole) => `${whole.slice(0, -1)}${whole.endsWith('A') ? 'B' : 'A'}`,
  })

  expect(shared.view.current()).toEqual({
    state: 'unavailable',
    cause: 'Invalid share link',
    hint: 'Ask the sender for the full link, or paste the whole link into the address bar.',
    canRetry: false,
  })
  expect(seen).toEqual([])
})

test('a deleted file is reported and offers no retry (SHR-04)', async () => {
  const { shared } = await openLink({ alterLink: (whole) => whole.replace('/s/token', '/s/other') })

  expect(shared.view.current()).toEqual({
    state: 'unavailable',
    cause: 'File not found or expired',
    hint: 'The file may have expired or the link is invalid.',
    canRetry: false,
  })
})

test('SHR-04 a file whose bytes are lost is named as lost and offers no retry', async () => {
  const { shared, setState } = await openLink()

  shared.download()
  setState({ status: 'failed', error: new ApiError({ status: 410, code: 'FILE_BYTES_LOST' }) })

  expect(shared.view.current()).toEqual({
    state: 'unavailable',
    cause: 'The server has lost this file',
    hint: 'Ask the sender to upload it again.',
    canRetry: false,
  })
})

test('a network failure offers a retry, which then finds the file', async () => {
  let isOffline = true
  const { shared } = await openLink({ isOffline: () => isOffline })
  expect(shared.view.current()).toMatchObject({ state: 'unavailable', canRetry: true })

  isOffline = false
  shared.retry()

  await until(() => shared.view.current().state === 'ready')
})

test('a download that fails with a network error offers a retry, one that fails with an API error does not', async () => {
  const { shared, setState, started } = await openLink()

  shared.download()
  setState({ status: 'failed', error: new NetworkError() })
  expect(shared.view.current()).toEqual({
    state: 'unavailable',
    cause: 'Download failed due to network error',
    hint: 'The file may have expired or the link is invalid.',
    canRetry: true,
  })

  shared.retry()
  expect(started).toHaveLength(2)
  setState({
    status: 'failed',
    error: new ApiError({ status: 404, code: null, serverMessage: 'File not found or expired' }),
  })
  expect(shared.view.current()).toMatchObject({ cause: 'File not found or expired', canRetry: false })
})
