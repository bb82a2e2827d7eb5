import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFileServer, digestOf, type Fault } from '../testing/file-server.ts'
import { accountKey, fileOf, openStored, patternBytes } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { journalInMemory, type Resumption } from './journal.ts'
import { createSealLane } from './seal-lane.ts'
import { sendByFetch } from './send-by-fetch.ts'
import { startUpload } from './upload.ts'

const megabyte = 1024 * 1024
const bytes = patternBytes(17 * megabyte + 3)
const streams = 3
const chunkCount = 5
const chunkPath = '/api/upload-chunk'

/** What goes wrong with one request, if anything. */
const trouble = fc.constantFrom('nothing', 'nothing', 'cut', 'lost', 'busy')

interface Visit {
  /** In the order in which requests come; what lies behind goes well. */
  readonly troubles: readonly ('nothing' | 'cut' | 'lost' | 'busy')[]
  /** The page is killed when so many requests have been made. */
  readonly killedAfter: number
  /** So many of the last imprints had not been written down by then. */
  readonly unwritten: number
}

const visit: fc.Arbitrary<Visit> = fc.record({
  troubles: fc.array(trouble, { maxLength: 8 }),
  killedAfter: fc.integer({ min: 1, max: 9 }),
  unwritten: fc.integer({ min: 0, max: streams }),
})

test('F12 F25 whatever is interrupted, killed or lost on the way, the file arrives as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 4 }), async (visits) => {
      const { server, makeVisit } = aServer()
      let left: Resumption | null = null
      for (const one of visits) {
        if (server.stored.size > 0) break
        left = await makeVisit(left, one)
      }
      if (server.stored.size === 0) await makeVisit(left, null)

      expect(server.stored.size).toBe(1)
      const [file] = [...server.stored.values()]
      expect(digestOf((await openStored(file as never)).bytes)).toBe(digestOf(bytes))
    }),
    { numRuns: 10 },
  )
}, 300_000)

test('F12 a page that is killed costs each of its streams one chunk at most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), async (killedAfter) => {
      const { server, makeVisit } = aServer()

      const left = await makeVisit(null, { troubles: [], killedAfter, unwritten: 0 })
      if (server.stored.size === 0) await makeVisit(left, null)

      const sent = server.seen.filter(({ path }) => path === chunkPath).length
      expect(sent - chunkCount).toBeLessThanOrEqual(streams)
      expect(server.stored.size).toBe(1)
    }),
    { numRuns: 7 },
  )
}, 300_000)

/** One server, and visits to it that end as told; the last one ends well. */
function aServer() {
  let fault: Fault = () => undefined
  const server = createFileServer((seen, count) => fault(seen, count))
  const clock = createManualClock({ passUpTo: 59_999 })
  const fetch = server.fetch as typeof globalThis.fetch
  const send = sendByFetch({ fetch, clock })

  async function makeVisit(earlier: Resumption | null, told: Visit | null): Promise<Resumption | null> {
    let requests = 0
    let kill: () => void = () => undefined
    fault = () => {
      requests += 1
      if (told && requests >= told.killedAfter) queueMicrotask(kill)
      const wrong = told?.troubles[requests - 1] ?? 'nothing'
      if (wrong === 'busy') return new Response('{}', { status: 503 })
      return wrong === 'nothing' ? undefined : wrong
    }
    const upload = startUpload({
      file: fileOf(bytes),
      accountKey,
      connection: { baseUrl: 'http://server.test', accessToken: async () => 'token', fetch, clock },
      openLane: (source) => createSealLane(source, { send }),
      availableMemoryBytes: 10 * megabyte,
      resumption: earlier ?? undefined,
    })
    kill = upload.suspend
    await upload.finished
    const left = upload.resumption()
    return left && told ? { ...left, journal: await withoutLast(left, told.unwritten) } : left
  }

  return { server, makeVisit }
}

/** The journal as the disk has it. */
async function withoutLast({ kept, journal }: Resumption, unwritten: number) {
  const written = await journalInMemory(kept)
  const imprints = [...(await journal.imprints())]
  for (const [index, made] of imprints.slice(0, imprints.length - unwritten)) await written.note(index, made.slice())
  return written
}
