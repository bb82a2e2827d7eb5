import { createFileServer, digestOf, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey, openStoredFile, patternBytes } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sendByFetch } from '../../node/send-by-fetch.ts'
import { fileOf } from '../../testing/files.ts'
import { createEncryptWorker } from './encrypt-worker.ts'
import { openMemoryJournal } from './journal.ts'
import type { Resumption } from './prepare-upload.ts'
import { startUpload } from './upload.ts'

const megabyte = 1024 * 1024
const bytes = patternBytes(17 * megabyte + 3)
const streams = 3
const chunkCount = 5
const chunkPath = '/api/upload-chunk'

/** The fault of one request. */
const requestFault = fc.constantFrom('nothing', 'nothing', 'cut', 'lost', 'busy')

interface Visit {
  /** Faults in the order of the requests; later requests succeed. */
  readonly faults: readonly ('nothing' | 'cut' | 'lost' | 'busy')[]
  /** The page is killed after this many requests. */
  readonly killedAfter: number
  /** This many of the last record digests had not been persisted by then. */
  readonly unwritten: number
}

const visitArbitrary: fc.Arbitrary<Visit> = fc.record({
  faults: fc.array(requestFault, { maxLength: 8 }),
  killedAfter: fc.integer({ min: 1, max: 9 }),
  unwritten: fc.integer({ min: 0, max: streams }),
})

test('F12 F25 an upload with faults, kills and lost journal entries ends as the same file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(visitArbitrary, { minLength: 1, maxLength: 4 }), async (visits) => {
      const { server, makeVisit } = startServer()
      let resumption: Resumption | null = null
      for (const visit of visits) {
        if (server.stored.size > 0) break
        resumption = await makeVisit(resumption, visit)
      }
      if (server.stored.size === 0) await makeVisit(resumption, null)

      expect(server.stored.size).toBe(1)
      const [file] = [...server.stored.values()]
      expect(digestOf((await openStoredFile(file as never)).bytes)).toBe(digestOf(bytes))
    }),
    { numRuns: 10 },
  )
}, 600_000)

test('F12 a killed page costs each of its streams at most one chunk', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), async (killedAfter) => {
      const { server, makeVisit } = startServer()

      const resumption = await makeVisit(null, { faults: [], killedAfter, unwritten: 0 })
      if (server.stored.size === 0) await makeVisit(resumption, null)

      const sent = server.requests.filter(({ path }) => path === chunkPath).length
      expect(sent - chunkCount).toBeLessThanOrEqual(streams)
      expect(server.stored.size).toBe(1)
    }),
    { numRuns: 7 },
  )
}, 600_000)

/** Creates a server and a function that makes visits to it with the given faults; a visit without faults succeeds. */
function startServer() {
  let fault: Fault = () => undefined
  const server = createFileServer((seen, count) => fault(seen, count))
  const clock = createManualClock({ skipUpTo: 59_999 })
  const fetch = server.fetch as typeof globalThis.fetch
  const send = sendByFetch({ fetch, clock })

  async function makeVisit(earlier: Resumption | null, visit: Visit | null): Promise<Resumption | null> {
    let requests = 0
    let kill: () => void = () => undefined
    fault = () => {
      requests += 1
      if (visit && requests >= visit.killedAfter) queueMicrotask(kill)
      const injected = visit?.faults[requests - 1] ?? 'nothing'
      if (injected === 'busy') return new Response('{}', { status: 503 })
      return injected === 'nothing' ? undefined : injected
    }
    const upload = startUpload({
      file: fileOf(bytes),
      rootKey: accountKey,
      connection: { baseUrl: 'http://server.test', getAccessToken: async () => 'token', fetch, clock },
      createWorker: (source) => createEncryptWorker(source, { send }),
      availableMemoryBytes: 10 * megabyte,
      resumption: earlier ?? undefined,
    })
    kill = upload.suspend
    await upload.finished
    const resumption = upload.resumption()
    return resumption && visit
      ? { ...resumption, journal: await dropLastEntries(resumption, visit.unwritten) }
      : resumption
  }

  return { server, makeVisit }
}

/** The journal as it was persisted, without the last entries. */
async function dropLastEntries({ persisted, journal }: Resumption, count: number) {
  const journalCopy = await openMemoryJournal(persisted)
  const imprints = [...(await journal.recordDigests())]
  for (const [index, recordDigests] of imprints.slice(0, imprints.length - count))
    await journalCopy.write(index, recordDigests.slice())
  return journalCopy
}
