import { ignore } from '@sallyport/contract/ignore'
import {
  type Bytes,
  fromBase64url,
  importPortalKey,
  openPortalRecord,
  portalDigest,
  toBase64url,
} from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import type { Link } from '../channel.ts'
import { PortalError, type PortalErrorCode } from '../errors.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { blockBytes, chunkCount, lengthAt, rootOf } from './blocks.ts'
import { type CancelCode, cancelErrors, type FastMessage, type FastMessageOf } from './fast-messages.ts'
import { chunkAad, frameHeaderBytes, parseFrame } from './frame.ts'
import {
  type ChunkRange,
  type IncomingFile,
  type IncomingTransfer,
  missingRanges,
  resetForNewLink,
  storedBytes,
} from './incoming.ts'

interface LinkReceiverOptions {
  readonly incoming: IncomingTransfer
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly unwrapKey: (wrapped: string) => Promise<Bytes>
  readonly onProgress: (file: number, bytes: number) => void
  /** Called with every written block and its verified digest. */
  readonly onBlockStored?: (file: number, block: number, digest: string) => void
  readonly onFileDone?: (file: number) => void
}

const creditBytes = 8 * 1024 * 1024
const ackEveryBytes = 128 * 1024
const idleMs = 1500
/** The key is sent over another channel, so a few frames may arrive before it. */
const maxEarlyFrames = 256
const maxFruitlessRounds = 5
const maxRanges = 256

/**
 * Receives files over one link. A block is stored only when it is complete and its digest matches, and a file is saved
 * only when all its blocks are stored; missing and damaged ranges are requested again, and too many fruitless rounds
 * abort the transfer. `done` rejects when the transfer fails.
 */
export function createLinkReceiver({ incoming, link, clock, signal, unwrapKey, ...events }: LinkReceiverOptions) {
  const { tid, chunk, files } = incoming
  const transfer = fromBase64url(tid)
  const perBlock = blockBytes / chunk
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  done.catch((error) => ignore(error, 'callers need not await the outcome'))
  const earlyFrames: Bytes[] = []
  let seenBytes = 0
  let acknowledgedBytes = 0
  let queuedBytes = 0
  /** Bytes of incomplete blocks. */
  let partialBytes = 0
  let fruitlessRounds = 0
  let stamp = 0
  let lastMessageAt = clock.now()
  let isSaving = false
  let isOver = false

  const runInOrder = createSerialQueue((error) => end(error instanceof Error ? error : new Error(String(error))))
  const enqueue = (step: () => Promise<void> | void): void =>
    runInOrder(async () => {
      if (!isOver) await step()
    })
  const sendMessage = (message: FastMessage) => link.control.send(JSON.stringify(message))

  function acknowledge(idle = false): void {
    if (isOver) return
    acknowledgedBytes = seenBytes
    const credit = creditBytes - partialBytes - queuedBytes
    sendMessage({ type: 'px-ack', tid, seen: seenBytes, credit, t: stamp, ...(idle && { idle }) })
  }

  function end(error: Error | null): void {
    if (isOver) return
    isOver = true
    if (error) reject(error)
    else resolve()
  }

  /** Notifies the sender and throws. */
  function abortTransfer(code: CancelCode, reason: PortalErrorCode = cancelErrors[code]): never {
    sendMessage({ type: 'px-cancel', tid, code })
    throw new PortalError(reason)
  }

  function countFruitlessRound(most: number, code: CancelCode): void {
    fruitlessRounds += 1
    if (fruitlessRounds > most) abortTransfer(code)
  }

  function requestRanges(file: IncomingFile, ranges: ChunkRange[], why: string): void {
    sendMessage({ type: 'px-need', tid, f: files.indexOf(file), ranges: ranges.slice(0, maxRanges), why })
  }

  function requestBlock(file: IncomingFile, block: number): void {
    const count = chunkCount(lengthAt(block, blockBytes, file.offered.size), chunk)
    requestRanges(file, [{ first: block * perBlock, count }], 'hash')
  }

  async function processFrame(bytes: Bytes): Promise<void> {
    const frame = parseFrame(bytes)
    const file = frame ? files[frame.file] : undefined
    if (!frame || !file || file.isDone) return
    stamp = frame.stamp
    if (!file.key) {
      if (earlyFrames.length >= maxEarlyFrames) abortTransfer('too-much')
      earlyFrames.push(bytes)
      return
    }
    const { size } = file.offered
    const aad = chunkAad(transfer, bytes.subarray(0, frameHeaderBytes))
    const plain = await openPortalRecord(await file.key, frame.sealed, aad)
    if (!plain) return
    const isOffered = frame.chunk < chunkCount(size, chunk) && plain.length === lengthAt(frame.chunk, chunk, size)
    if (!isOffered) abortTransfer('too-much')
    await addChunk(file, frame.chunk, plain)
  }

  async function addChunk(file: IncomingFile, index: number, plain: Bytes): Promise<void> {
    const block = Math.floor(index / perBlock)
    file.highest = Math.max(file.highest, index)
    if (file.stored[block]) return
    const length = lengthAt(block, blockBytes, file.offered.size)
    const partial = file.partialBlocks.get(block) ?? { bytes: new Uint8Array(length), received: new Set<number>() }
    file.partialBlocks.set(block, partial)
    if (partial.received.has(index)) return
    partial.received.add(index)
    partial.bytes.set(plain, (index % perBlock) * chunk)
    partialBytes += plain.length
    fruitlessRounds = 0
    await storeBlock(file, block)
  }

  /** Writes a block once it is complete and its digest is known. */
  async function storeBlock(file: IncomingFile, block: number): Promise<void> {
    const partial = file.partialBlocks.get(block)
    const digest = file.digests[block]
    if (!partial || digest === undefined || file.stored[block]) return
    if (partial.received.size < chunkCount(partial.bytes.length, chunk)) return
    file.partialBlocks.delete(block)
    partialBytes -= partial.bytes.length
    if (toBase64url(await portalDigest(partial.bytes)) !== digest) {
      countFruitlessRound(maxFruitlessRounds, 'damaged')
      return requestBlock(file, block)
    }
    await file.sink.write(partial.bytes, block * blockBytes).catch(() => abortTransfer('no-space', 'NO_SPACE_HERE'))
    file.stored[block] = true
    events.onBlockStored?.(files.indexOf(file), block, digest)
    events.onProgress(files.indexOf(file), storedBytes(file))
    await saveIfComplete(file)
  }

  async function saveIfComplete(file: IncomingFile): Promise<void> {
    if (file.isDone || !file.end || !file.stored.every(Boolean)) return
    const f = files.indexOf(file)
    const digests = file.digests.map((digest) => fromBase64url(digest ?? ''))
    const root = await rootOf(transfer, f, file.offered.size, digests)
    if (root !== file.end.root || file.end.chunks !== chunkCount(file.offered.size, chunk)) abortTransfer('damaged')
    isSaving = true
    await file.sink.finish().finally(() => {
      isSaving = false
    })
    file.isDone = true
    events.onFileDone?.(f)
    acknowledge()
    sendMessage({ type: 'px-done', tid, f })
    endIfComplete()
  }

  function endIfComplete(): void {
    if (files.every(({ isDone }) => isDone)) end(null)
  }

  /** Sends one acknowledgement for several frames while frames are queued. */
  async function processQueued(bytes: Bytes): Promise<void> {
    queuedBytes -= bytes.length
    await processFrame(bytes)
    if (queuedBytes === 0 || seenBytes - acknowledgedBytes >= ackEveryBytes) acknowledge()
  }

  /** Requests missing chunks after a period without frames. */
  function checkForGaps(): void {
    if (clock.now() - lastMessageAt < idleMs) return
    lastMessageAt = clock.now()
    acknowledge(true)
    for (const file of files) {
      const ranges = file.isDone || !file.key ? [] : missingRanges(file, chunk)
      if (ranges.length === 0) continue
      countFruitlessRound(maxFruitlessRounds * 4, 'damaged')
      requestRanges(file, ranges, 'gap')
    }
  }

  async function watchForIdle(): Promise<void> {
    while (!isOver && !signal.aborted) {
      await clock.wait(idleMs / 3, signal)
      // The sender drops a link whose receiver is silent for too long, and frames are only queued during saving.
      if (isSaving) acknowledge()
      enqueue(checkForGaps)
    }
  }

  async function handleKey(file: IncomingFile, key: string): Promise<void> {
    if (file.isDone || file.key) return
    file.key = importPortalKey(await unwrapKey(key))
    for (const frame of earlyFrames.splice(0)) await processFrame(frame)
  }

  /** Requests a stored block again if the sender's digest of it has changed. */
  async function addDigest(file: IncomingFile, block: number, digest: string): Promise<void> {
    if (file.stored[block] && file.digests[block] !== digest) {
      countFruitlessRound(maxFruitlessRounds, 'source-changed')
      file.stored[block] = false
      file.digests[block] = digest
      return requestBlock(file, block)
    }
    file.digests[block] ??= digest
    await storeBlock(file, block)
  }

  async function handleFileMessage(message: FastMessageOf<'px-file' | 'px-digests' | 'px-end'>): Promise<void> {
    const file = files[message.f]
    if (!file) return
    if (message.type === 'px-file') return handleKey(file, message.key)
    if (message.type === 'px-digests') {
      for (const [index, digest] of message.list.entries()) await addDigest(file, message.from + index, digest)
    } else {
      file.end ??= message
      await saveIfComplete(file)
    }
  }

  for (const file of files) if (!file.isDone) resetForNewLink(file)
  signal.addEventListener('abort', () => end(signal.reason as Error), { once: true })
  watchForIdle().catch((error) => ignore(error, 'the link or the transfer has ended'))
  // The last file may have been saved while no link was open.
  endIfComplete()

  return {
    done,
    handleFrame(bytes: Bytes): void {
      seenBytes += bytes.length
      queuedBytes += bytes.length
      lastMessageAt = clock.now()
      // A sender that exceeds its credit is cut off instead of buffered.
      if (queuedBytes > 2 * creditBytes) enqueue(() => abortTransfer('too-much'))
      else enqueue(() => processQueued(bytes))
    },
    handleMessage(message: FastMessage): void {
      lastMessageAt = clock.now()
      if (message.type === 'px-cancel') enqueue(() => end(new PortalError(cancelErrors[message.code])))
      if (message.type === 'px-file' || message.type === 'px-digests' || message.type === 'px-end')
        enqueue(() => handleFileMessage(message))
    },
  }
}
