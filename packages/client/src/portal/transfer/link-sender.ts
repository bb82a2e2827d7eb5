import { ignore } from '@sallyport/contract/ignore'
import {
  type Bytes,
  createPortalKey,
  fromBase64url,
  importPortalKey,
  portalDigest,
  randomBytes,
  sealPortalRecordInto,
  toBase64url,
} from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import type { Link, OutgoingFile } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { blockBytes, blockCount, chunkCount, lengthAt, rootOf } from './blocks.ts'
import { createCongestionWindow } from './congestion-window.ts'
import { cancelErrors, type FastMessage, type FastMessageOf } from './fast-messages.ts'
import { allocateFrame, chunkAad, frameHeaderBytes, stampFrame } from './frame.ts'

/** The sender's state of a transfer; it survives the loss of a link. */
export interface OutgoingTransfer {
  readonly tid: string
  /** Sent with each offer, so that only the original sender can resume the transfer. */
  readonly secret: Bytes
  readonly files: readonly OutgoingFile[]
  readonly chunk: 16_384 | 32_768 | 65_536
  /** Digests of the blocks read so far, by file. */
  readonly digests: Bytes[][]
  /** Files that the other device has completed. */
  readonly done: Set<number>
}

export const createOutgoingTransfer = (
  tid: string,
  files: readonly OutgoingFile[],
  secret = randomBytes(32),
): OutgoingTransfer => ({
  tid,
  secret,
  files,
  chunk: 65_536,
  digests: files.map(() => []),
  done: new Set(),
})

interface LinkSenderOptions {
  readonly outgoing: OutgoingTransfer
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Wraps a file key for the other device. */
  readonly wrapKey: (key: Bytes) => Promise<string>
  /** `isEarlier` where the other device had the bytes before this link. */
  readonly onProgress: (file: number, bytes: number, isEarlier: boolean) => void
}

type Have = NonNullable<FastMessageOf<'px-accept'>['have']>

const maxBufferedBytes = 256 * 1024
/** Chunks that are sealed ahead of the one being sent. */
const maxSealedAhead = 3
const initialCredit = 8 * 1024 * 1024
/** A link is closed when no message arrives for this long while bytes are in flight. */
const silenceTimeoutMs = 15_000

/**
 * Sends the accepted files over one link, limited by congestion window and credit, each block with its digest.
 * `handleMessage` receives the answers. `run` resolves when all files are complete and rejects when the link is lost or
 * the other device cancels.
 */
export function createLinkSender({ outgoing, link, clock, signal, wrapKey, onProgress }: LinkSenderOptions) {
  const { tid, files, chunk, digests, done } = outgoing
  const transfer = fromBase64url(tid)
  const window = createCongestionWindow(clock.now())
  const keys = new Map<number, CryptoKey>()
  const resend: { file: number; chunk: number }[] = []
  let sentBytes = 0
  let seenBytes = 0
  let lostBytes = 0
  let credit = initialCredit
  let attempt = 0
  let lastMessageAt = clock.now()
  let failure: Error | null = null
  let wake: () => void = () => undefined

  const sendMessage = (message: FastMessage) => link.control.send(JSON.stringify(message))
  const inFlight = () => Math.max(0, sentBytes - seenBytes - lostBytes)
  const nextEvent = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  function throwIfStopped(): void {
    signal.throwIfAborted()
    if (failure) throw failure
  }

  async function waitForWindow(bytes: number): Promise<void> {
    while (inFlight() > 0 && inFlight() + bytes > Math.min(window.bytes(), credit)) {
      throwIfStopped()
      await nextEvent()
    }
    if (link.bulk.bufferedBytes() > maxBufferedBytes) await link.bulk.drained(maxBufferedBytes / 2, signal)
    throwIfStopped()
  }

  async function readBlock(file: number, block: number): Promise<Bytes> {
    const source = files[file] as OutgoingFile
    const start = block * blockBytes
    const bytes = await source.read(start, start + lengthAt(block, blockBytes, source.size))
    const digest = await portalDigest(bytes)
    const known = digests[file]?.[block]
    if (known && toBase64url(known) !== toBase64url(digest)) throw new SourceChangedError()
    if (digests[file]) digests[file][block] = digest
    return bytes
  }

  function sealChunk(file: number, index: number, plain: Bytes): Promise<Bytes> {
    const frame = allocateFrame({ file, chunk: index, attempt }, plain.length)
    const target = frame.subarray(frameHeaderBytes)
    return sealPortalRecordInto({
      key: keys.get(file) as CryptoKey,
      plain,
      aad: chunkAad(transfer, frame),
      target,
    }).then(() => frame)
  }

  async function sendFrame(frame: Bytes): Promise<void> {
    await waitForWindow(frame.length)
    stampFrame(frame, clock.now())
    link.bulk.send(frame)
    sentBytes += frame.length
  }

  async function sendBlock(file: number, block: number, bytes: Bytes): Promise<void> {
    const perBlock = blockBytes / chunk
    sendDigest(file, block)
    const sealed: Promise<Bytes>[] = []
    for (let start = 0; start < bytes.length || sealed.length > 0; start += chunk) {
      if (start < bytes.length) {
        const frame = sealChunk(file, block * perBlock + start / chunk, bytes.subarray(start, start + chunk))
        frame.catch((error) => ignore(error, 'sending the frame rejects with it'))
        sealed.push(frame)
      }
      if (sealed.length > maxSealedAhead || start >= bytes.length) await sendFrame((await sealed.shift()) as Bytes)
    }
  }

  function sendDigest(file: number, block: number): void {
    sendMessage({ type: 'px-digests', tid, f: file, from: block, list: [toBase64url(digests[file]?.[block] as Bytes)] })
  }

  /** Verifies the receiver's sample before sending: its stored blocks may come from another file of this name. */
  async function verifySamples(have: Have): Promise<void> {
    for (const { f, sample } of have) {
      for (const { block, digest } of sample) {
        if (block >= blockCount(files[f]?.size ?? 0)) throw new SourceChangedError()
        await readBlock(f, block)
        if (toBase64url(digests[f]?.[block] ?? new Uint8Array(0)) !== digest) throw new SourceChangedError()
      }
    }
  }

  async function sendFile(file: number, have: string): Promise<void> {
    const { size } = files[file] as OutgoingFile
    const raw = createPortalKey()
    keys.set(file, await importPortalKey(raw))
    sendMessage({ type: 'px-file', tid, f: file, key: await wrapKey(raw) })
    const blocks = blockCount(size)
    const isStored = (block: number) => have[block] === '1'
    // Blocks that the receiver has are read only if their digests, which the root needs, are unknown.
    const read = (block: number) =>
      block >= blocks || (isStored(block) && digests[file]?.[block]) ? null : readBlock(file, block)
    // The next block is read while this one is sent.
    let next = read(0)
    for (let block = 0; block < blocks; block += 1) {
      const bytes = await next
      next = read(block + 1)
      next?.catch((error) => ignore(error, 'sending the block rejects with it'))
      if (bytes && !isStored(block)) await sendBlock(file, block, bytes)
      else if (bytes) sendDigest(file, block)
      onProgress(file, Math.min(size, (block + 1) * blockBytes), isStored(block))
      await sendMissing()
    }
    const root = await rootOf(transfer, file, size, digests[file] ?? [])
    sendMessage({ type: 'px-end', tid, f: file, chunks: chunkCount(size, chunk), root })
  }

  async function sendMissing(): Promise<void> {
    for (let missing = resend.shift(); missing; missing = resend.shift()) {
      const { file, chunk: index } = missing
      const block = Math.floor((index * chunk) / blockBytes)
      const bytes = await readBlock(file, block)
      const start = index * chunk - block * blockBytes
      await sendFrame(await sealChunk(file, index, bytes.subarray(start, start + chunk)))
    }
  }

  /** Reports a stall when no acknowledgement arrives in time, and closes a silent link. */
  async function watchForStalls(ended: AbortSignal): Promise<void> {
    let last = seenBytes
    while (!ended.aborted) {
      await clock.wait(window.stallTimeoutMs(), ended)
      if (seenBytes === last && inFlight() > 0) window.onStall(clock.now())
      last = seenBytes
      if (inFlight() > 0 && clock.now() - lastMessageAt >= silenceTimeoutMs) link.close()
    }
  }

  function handleAck({ seen: arrived, credit: left, t, idle }: FastMessageOf<'px-ack'>): void {
    const now = clock.now()
    if (arrived > seenBytes) {
      const before = inFlight()
      seenBytes = arrived
      window.onAck(now, ((now >>> 0) - t + 2 ** 32) % 2 ** 32, before)
    }
    credit = left
    if (idle) {
      lostBytes = sentBytes - seenBytes
      window.onStall(now)
    }
  }

  function handleNeed({ f, ranges }: FastMessageOf<'px-need'>): void {
    const count = chunkCount(files[f]?.size ?? 0, chunk)
    attempt += 1
    for (const { first, count: length } of ranges) {
      for (let index = first; index < Math.min(count, first + length); index += 1) {
        if (!resend.some((one) => one.file === f && one.chunk === index)) resend.push({ file: f, chunk: index })
      }
    }
  }

  return {
    handleMessage(message: FastMessage): void {
      lastMessageAt = clock.now()
      if (message.type === 'px-ack') handleAck(message)
      if (message.type === 'px-need' && keys.has(message.f)) handleNeed(message)
      if (message.type === 'px-done' && message.f < files.length) done.add(message.f)
      if (message.type === 'px-cancel') failure = new PortalError(cancelErrors[message.code])
      wake()
    },
    async run(have: Have): Promise<void> {
      const ended = new AbortController()
      const stop = () => wake()
      signal.addEventListener('abort', stop)
      watchForStalls(ended.signal).catch((error) => ignore(error, 'the transfer has ended'))
      try {
        await verifySamples(have)
        for (const [file, { size }] of files.entries()) {
          if (done.has(file)) onProgress(file, size, true)
          else await sendFile(file, have.find(({ f }) => f === file)?.blocks ?? '')
        }
        while (done.size < files.length) {
          throwIfStopped()
          if (resend.length > 0) await sendMissing()
          else await nextEvent()
        }
      } catch (error) {
        if (error instanceof SourceChangedError || isUnreadable(error)) {
          sendMessage({ type: 'px-cancel', tid, code: 'source-changed' })
          throw new PortalError('SOURCE_CHANGED')
        }
        throw error
      } finally {
        ended.abort()
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

class SourceChangedError extends Error {}

const isUnreadable = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotReadableError'
