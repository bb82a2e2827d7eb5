import { createCaller } from '@sallyport/client/call'
import { runWhileOnline } from '@sallyport/client/connectivity'
import { createConnectivity } from '@sallyport/client/create-connectivity'
import { NetworkError } from '@sallyport/client/errors'
import { createFileServer } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { expect, test, vi } from 'vitest'
import { sendByFetch } from '../node/send-by-fetch.ts'
import { createTestSink, fileOf } from '../testing/files.ts'
import { createDecryptWorker } from './download/decrypt-worker.ts'
import { startDownload } from './download/download.ts'
import { ownFileSource } from './download/own-file-source.ts'
import { createEncryptWorker } from './upload/encrypt-worker.ts'
import { startUpload } from './upload/upload.ts'

type Answer = () => Promise<Response>

const recordBytes = 64 * 1024

const noContent: Answer = async () => new Response(null, { status: 204 })
const badGateway: Answer = async () => new Response('<html>', { status: 502 })
const reject: Answer = async () => {
  throw new TypeError('Failed to fetch')
}

/** A server that answers as told, and the connectivity that watches it without chance. */
function watch(answer: Answer) {
  const clock = createManualClock()
  const server = { answer, questions: 0 }
  const fetch: typeof globalThis.fetch = () => {
    server.questions += 1
    return server.answer()
  }
  const call = createCaller({ baseUrl: 'http://server.test', fetch, clock, getAccessToken: async () => null })
  return { clock, server, connectivity: createConnectivity({ call, clock, random: () => 1 }) }
}

const pausesOf = ({ waits }: { readonly waits: readonly number[] }) => waits.filter((wait) => wait !== 3000)

test('a server that answers is not away, and questions at the same time are one', async () => {
  const { connectivity, server } = watch(noContent)

  const answers = await Promise.all([connectivity.verify(), connectivity.verify()])

  expect(answers).toEqual([true, true])
  expect(server.questions).toBe(1)
})

test('a server that is away is asked after growing pauses until it answers', async () => {
  const { connectivity, server, clock } = watch(reject)
  const seen: boolean[] = []
  connectivity.subscribe(() => seen.push(connectivity.current()))

  expect(await connectivity.verify()).toBe(false)
  await clock.advance(60_000)
  const pauses = pausesOf(clock)
  server.answer = noContent
  await clock.advance(8000)

  expect(pauses.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  expect(seen).toEqual([false, true])
})

test('a proxy without its server counts as away', async () => {
  const { connectivity } = watch(badGateway)

  expect(await connectivity.verify()).toBe(false)
})

test('a network that is back is asked about at once', async () => {
  const { connectivity, server, clock } = watch(reject)
  connectivity.suspect()
  await clock.advance(30_000)
  server.answer = noContent

  connectivity.retryNow()
  await clock.advance(0)

  expect(connectivity.current()).toBe(true)
})

test('a request that a restart cuts is repeated, even if the server is back before it is asked', async () => {
  const { connectivity } = watch(noContent)
  const { signal } = new AbortController()
  let attempts = 0

  const running = runWhileOnline(connectivity, signal, async () => {
    attempts += 1
    if (attempts === 1) throw new NetworkError()
    return 'stored'
  })

  expect(await running).toBe('stored')
})

test('a request that a reachable server never answers fails after 3 attempts', async () => {
  const { connectivity } = watch(noContent)
  const { signal } = new AbortController()
  let attempts = 0

  const running = runWhileOnline(connectivity, signal, async () => {
    attempts += 1
    throw new NetworkError()
  })

  await expect(running).rejects.toThrow(NetworkError)
  expect(attempts).toBe(3)
})

/** A file server that is away for as long as `isAway`, like a process that is restarted, or behind a proxy. */
function startHarness(answerAway: 'cut' | Response = 'cut') {
  const clock = createManualClock({ skipUpTo: 0 })
  const state = { isAway: false, isAboutToLeave: false, attempts: 0 }
  const server = createFileServer(({ path }) => {
    if (state.isAboutToLeave && path.startsWith('/api/download/')) {
      Object.assign(state, { isAboutToLeave: false, isAway: true })
      return { breakAfter: 4.5 * recordBytes }
    }
    if (state.isAway && path !== '/api/status') state.attempts += 1
    if (state.isAway) return answerAway instanceof Response ? answerAway.clone() : answerAway
    return path === '/api/status' ? new Response(null, { status: 204 }) : undefined
  })
  const fetch = server.fetch as typeof globalThis.fetch
  const base = { baseUrl: 'http://server.test', getAccessToken: async () => 'token', fetch, clock }
  const connectivity = createConnectivity({ call: createCaller(base), clock, random: () => 1 })
  return { clock, server, state, connection: { ...base, connectivity } }
}

test.each([
  ['rejects connections', 'cut'],
  ['is behind a proxy', new Response('<html>', { status: 502 })],
] as const)(
  'an upload waits for a server that %s, without a limit and without counting attempts',
  async (_name, answer) => {
    const { clock, server, state, connection } = startHarness(answer)
    const { fetch } = connection
    state.isAway = true
    const upload = startUpload({
      file: fileOf(patternBytes(1000)),
      rootKey: accountKey,
      connection,
      createWorker: (source) => createEncryptWorker(source, { send: sendByFetch({ fetch, clock }) }),
    })
    await vi.waitFor(() => expect(connection.connectivity.current()).toBe(false))
    await clock.advance(60_000)
    const paused = upload.current()
    const { attempts } = state

    state.isAway = false
    await clock.advance(8000)
    const end = await upload.finished

    expect(paused).toMatchObject({ status: 'sending', isPaused: true })
    expect(attempts).toBe(1)
    expect(end.status).toBe('done')
    expect(server.stored.size).toBe(1)
  },
)

test('a download waits for a server that is away, and continues with the next record', async () => {
  const { clock, server, state, connection } = startHarness()
  const file = await sealedFile(patternBytes(10 * recordBytes + 7), { recordBytes })
  const id = server.store(file.name, file.envelope, file.bytes)
  const sink = createTestSink({ room: file.bytes.length })
  state.isAboutToLeave = true
  const download = startDownload({
    source: ownFileSource({ id, originalName: file.name, accountKey }),
    connection,
    createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch: connection.fetch, clock }),
  })
  await vi.waitFor(() => expect(connection.connectivity.current()).toBe(false))
  await clock.advance(60_000)
  const paused = download.current()
  const { attempts } = state

  state.isAway = false
  await clock.advance(8000)
  const end = await download.finished

  expect(paused).toMatchObject({ status: 'receiving', isPaused: true, receivedBytes: 4 * recordBytes })
  expect(attempts).toBe(0)
  expect(end.status).toBe('done')
  expect(server.requests.at(-1)?.headers.get('range')).toMatch(new RegExp(`^bytes=${4 * (recordBytes + 28)}-`))
})
