import {
  type Bytes,
  fromBase64url,
  importPortalKey,
  openPortalRecord,
  portalDigest,
  toBase64url,
} from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import { type Link, PortalError, type PortalSink } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import { blockBytes, blockCount, chunkCount, lengthAt, rootOf, sampleOf } from './blocks.ts'
import type { CancelCode, FastMessage, OfferedFile, Said } from './fast-messages.ts'
import { reasonOf } from './fast-send.ts'
import { boundTo, frameHeaderBytes, readFrame } from './frame.ts'
import type { ArrivalNote } from './transfer-notes.ts'

type Range = Said<'px-need'>['ranges'][number]

interface Gathering {
  readonly bytes: Bytes
  readonly got: Set<number>
}

export interface ArrivingFile {
  readonly offered: OfferedFile
  readonly sink: PortalSink
  readonly digests: (string | undefined)[]
  /** Blocks that are kept, with a digest that fits. */
  readonly kept: boolean[]
  readonly gathering: Map<number, Gathering>
  key: Promise<CryptoKey> | null
  end: Said<'px-end'> | null
  /** The highest chunk that has come; gaps lie below. */
  highest: number
  isDone: boolean
}

/** A transfer as its receiver keeps it; it outlives a link. */
export interface Incoming {
  readonly tid: string
  readonly chunk: 16_384 | 32_768 | 65_536
  readonly files: readonly ArrivingFile[]
  /** Digest of what the sender shows when it goes on. */
  readonly proof: string
}

export const createIncoming = (
  { tid, files, chunk }: Pick<ArrivalNote, 'tid' | 'files' | 'chunk'>,
  sinkOf: (file: OfferedFile) => PortalSink,
  proof = '',
): Incoming => ({
  tid,
  chunk,
  proof,
  files: files.map((offered) => ({
    offered,
    sink: sinkOf(offered),
    digests: [],
    kept: Array.from({ length: blockCount(offered.size) }, () => false),
    gathering: new Map(),
    key: null,
    end: null,
    highest: -1,
    isDone: false,
  })),
})

/** What is kept of each file already, as `px-accept` says it. */
export const haveOf = ({ files }: Incoming): NonNullable<Said<'px-accept'>['have']> =>
  files.flatMap(({ kept, digests, isDone }, f) => {
    if (isDone || !kept.some(Boolean)) return []
    const sample = sampleOf(kept).map((block) => ({ block, digest: digests[block] ?? '' }))
    return [{ f, blocks: kept.map((is) => (is ? '1' : '0')).join(''), sample }]
  })

interface Receiving {
  readonly incoming: Incoming
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly unwrapKey: (wrapped: string) => Promise<Bytes>
  readonly onProgress: (file: number, bytes: number) => void
  /** Told of every block that was written, with the digest it fits. */
  readonly onKept?: (file: number, block: number, digest: string) => void
  readonly onDone?: (file: number) => void
}

const creditBytes = 8 * 1024 * 1024
const tellAtLeastBytes = 128 * 1024
const idleMs = 1500
const mostFruitlessRounds = 5
const mostRanges = 256
/** The key comes over another channel and may be overtaken by a few frames. */
const mostEarlyFrames = 256

/**
 * Takes files over one link. A block is kept only once all of it is there and its digest fits, and a file is handed over
 * only once all its blocks are; whatever is missing is asked for again. `done` rejects when the transfer cannot go on.
 */
export function createFastReceiver(receiving: Receiving) {
  const { incoming, link, clock, signal, unwrapKey, onProgress } = receiving
  const { tid, chunk, files } = incoming
  const transfer = fromBase64url(tid)
  const perBlock = blockBytes / chunk
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  done.catch(() => undefined)
  const early: Bytes[] = []
  let seen = 0
  let told = 0
  let queued = 0
  let held = 0
  let stamp = 0
  let heardAt = clock.now()
  let fruitless = 0
  let isOver = false
  let work: Promise<void> = Promise.resolve()

  const say = (message: FastMessage) => link.control.send(JSON.stringify(message))
  const acknowledge = (idle = false) => {
    if (isOver) return
    told = seen
    say({ type: 'px-ack', tid, seen, credit: creditBytes - held - queued, t: stamp, ...(idle && { idle }) })
  }

  function next(step: () => Promise<void> | void): void {
    work = work
      .then(async () => {
        if (!isOver) await step()
      })
      .catch((error: unknown) => end(error instanceof Error ? error : new PortalError(String(error))))
  }

  function end(error: Error | null): void {
    if (isOver) return
    isOver = true
    if (error) reject(error)
    else resolve()
  }

  function giveUp(code: CancelCode, reason = reasonOf(code)): never {
    say({ type: 'px-cancel', tid, code })
    throw new PortalError(reason)
  }

  async function takeFrame(bytes: Bytes): Promise<void> {
    const frame = readFrame(bytes)
    const file = frame ? files[frame.file] : undefined
    if (!frame || !file || file.isDone) return
    stamp = frame.stamp
    if (!file.key) {
      if (early.length >= mostEarlyFrames) giveUp('too-much')
      early.push(bytes)
      return
    }
    const { size } = file.offered
    const plain = await openPortalRecord(
      await file.key,
      frame.sealed,
      boundTo(transfer, bytes.subarray(0, frameHeaderBytes)),
    )
    if (!plain) return
    const isOffered = frame.chunk < chunkCount(size, chunk) && plain.length === lengthAt(frame.chunk, chunk, size)
    if (!isOffered) giveUp('too-much')
    file.highest = Math.max(file.highest, frame.chunk)
    await place(file, frame.chunk, plain)
  }

  /** One word for several frames while they come faster than they are taken. */
  async function takeQueued(bytes: Bytes): Promise<void> {
    queued -= bytes.length
    await takeFrame(bytes)
    if (queued === 0 || seen - told >= tellAtLeastBytes) acknowledge()
  }

  async function place(file: ArrivingFile, index: number, plain: Bytes): Promise<void> {
    const block = Math.floor(index / perBlock)
    if (file.kept[block]) return
    const length = lengthAt(block, blockBytes, file.offered.size)
    const gathering = file.gathering.get(block) ?? { bytes: new Uint8Array(length), got: new Set<number>() }
    file.gathering.set(block, gathering)
    if (gathering.got.has(index)) return
    gathering.got.add(index)
    gathering.bytes.set(plain, (index % perBlock) * chunk)
    held += plain.length
    fruitless = 0
    if (gathering.got.size === chunkCount(length, chunk)) await keep(file, block)
  }

  async function keep(file: ArrivingFile, block: number): Promise<void> {
    const gathering = file.gathering.get(block)
    const digest = file.digests[block]
    if (!gathering || digest === undefined || file.kept[block]) return
    if (gathering.got.size < chunkCount(gathering.bytes.length, chunk)) return
    file.gathering.delete(block)
    held -= gathering.bytes.length
    if (toBase64url(await portalDigest(gathering.bytes)) !== digest) {
      fruitless += 1
      if (fruitless > mostFruitlessRounds) giveUp('damaged')
      return ask(file, [{ first: block * perBlock, count: chunkCount(gathering.bytes.length, chunk) }], 'hash')
    }
    await file.sink.write(gathering.bytes, block * blockBytes).catch(() => giveUp('no-space', portalTexts.noSpaceHere))
    file.kept[block] = true
    receiving.onKept?.(files.indexOf(file), block, digest)
    onProgress(files.indexOf(file), keptBytes(file))
    await finish(file)
  }

  async function finish(file: ArrivingFile): Promise<void> {
    if (file.isDone || !file.end || !file.kept.every(Boolean)) return
    const f = files.indexOf(file)
    const digests = file.digests.map((digest) => fromBase64url(digest ?? ''))
    const root = await rootOf(transfer, f, file.offered.size, digests)
    if (root !== file.end.root || file.end.chunks !== chunkCount(file.offered.size, chunk)) giveUp('damaged')
    await file.sink.finish()
    file.isDone = true
    receiving.onDone?.(f)
    acknowledge()
    say({ type: 'px-done', tid, f })
    if (files.every(({ isDone }) => isDone)) end(null)
  }

  /** A kept block that the sender has otherwise by now comes again. */
  async function takeDigest(file: ArrivingFile, block: number, digest: string): Promise<void> {
    const length = lengthAt(block, blockBytes, file.offered.size)
    if (file.kept[block] && file.digests[block] !== digest) {
      fruitless += 1
      if (fruitless > mostFruitlessRounds) giveUp('source-changed')
      file.kept[block] = false
      file.digests[block] = digest
      return ask(file, [{ first: block * perBlock, count: chunkCount(length, chunk) }], 'hash')
    }
    file.digests[block] ??= digest
    await keep(file, block)
  }

  function ask(file: ArrivingFile, ranges: Range[], why: string): void {
    say({ type: 'px-need', tid, f: files.indexOf(file), ranges: ranges.slice(0, mostRanges), why })
  }

  /** Asks for what did not come, once nothing has come for a while. */
  function lookForGaps(): void {
    if (clock.now() - heardAt < idleMs) return
    heardAt = clock.now()
    acknowledge(true)
    for (const file of files) {
      const ranges = file.isDone || !file.key ? [] : missingIn(file, chunk, perBlock)
      if (ranges.length === 0) continue
      fruitless += 1
      if (fruitless > mostFruitlessRounds * 4) giveUp('damaged')
      ask(file, ranges, 'gap')
    }
  }

  async function watch(): Promise<void> {
    while (!isOver && !signal.aborted) {
      await clock.wait(idleMs / 3, signal)
      next(lookForGaps)
    }
  }

  async function takeKey({ f, key }: Said<'px-file'>): Promise<void> {
    const file = files[f]
    if (!file || file.isDone || file.key) return
    file.key = importPortalKey(await unwrapKey(key))
    for (const frame of early.splice(0)) await takeFrame(frame)
  }

  for (const file of files) if (!file.isDone) beginAnew(file)
  signal.addEventListener('abort', () => end(signal.reason as Error), { once: true })
  watch().catch(() => undefined)

  return {
    done,
    takeFrame(bytes: Bytes): void {
      seen += bytes.length
      queued += bytes.length
      heardAt = clock.now()
      // Whoever sends more than it was given credit for is not waited for.
      if (queued > 2 * creditBytes) next(() => giveUp('too-much'))
      else next(() => takeQueued(bytes))
    },
    hear(message: FastMessage): void {
      heardAt = clock.now()
      if (message.type === 'px-file') next(() => takeKey(message))
      if (message.type === 'px-digests') {
        next(async () => {
          const file = files[message.f]
          if (!file) return
          for (const [index, digest] of message.list.entries()) {
            await takeDigest(file, message.from + index, digest)
          }
        })
      }
      if (message.type === 'px-end') {
        next(async () => {
          const file = files[message.f]
          if (!file || file.end) return
          file.end = message
          await finish(file)
        })
      }
      if (message.type === 'px-cancel') next(() => end(new PortalError(reasonOf(message.code))))
    },
  }
}

/** Over a new link everything but the kept blocks comes again, under another key. */
function beginAnew(file: ArrivingFile): void {
  file.key = null
  file.end = null
  file.highest = -1
  file.gathering.clear()
}

export const keptBytes = ({ kept, offered }: Pick<ArrivingFile, 'kept' | 'offered'>): number =>
  kept.reduce((sum, is, block) => sum + (is ? lengthAt(block, blockBytes, offered.size) : 0), 0)

/** Ranges of chunks that did not come: below the highest that did, and all of them once the sender has said its last. */
function missingIn(file: ArrivingFile, chunk: number, perBlock: number): Range[] {
  const last = file.end ? chunkCount(file.offered.size, chunk) - 1 : file.highest
  const ranges: Range[] = []
  for (let index = 0; index <= last; index += 1) {
    const block = Math.floor(index / perBlock)
    if (file.kept[block]) {
      index = (block + 1) * perBlock - 1
      continue
    }
    if (file.gathering.get(block)?.got.has(index)) continue
    const range = ranges.at(-1)
    if (range && range.first + range.count === index) range.count += 1
    else ranges.push({ first: index, count: 1 })
  }
  return ranges
}
