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
import { type Link, type OutgoingFile, PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import { blockBytes, blockCount, chunkCount, lengthAt, rootOf } from './blocks.ts'
import type { CancelCode, FastMessage, Said } from './fast-messages.ts'
import { boundTo, frameHeaderBytes, newFrame, stampFrame } from './frame.ts'
import { createWindow } from './window.ts'

/** A transfer as its sender keeps it; it outlives a link. */
export interface Outgoing {
  readonly tid: string
  /** Shown with each offer: only its sender can go on with a transfer. */
  readonly secret: Bytes
  readonly files: readonly OutgoingFile[]
  readonly chunk: 16_384 | 32_768 | 65_536
  /** Digests of blocks that were read already, by file. */
  readonly digests: Bytes[][]
  /** Files the other device has whole. */
  readonly done: Set<number>
}

export const createOutgoing = (tid: string, files: readonly OutgoingFile[], secret = randomBytes(32)): Outgoing => ({
  tid,
  secret,
  files,
  chunk: 65_536,
  digests: files.map(() => []),
  done: new Set(),
})

interface Sending {
  readonly outgoing: Outgoing
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Closes a file key up for the other device alone. */
  readonly wrapKey: (key: Bytes) => Promise<string>
  readonly onProgress: (file: number, bytes: number) => void
}

type Have = NonNullable<Said<'px-accept'>['have']>

const bufferGuardBytes = 256 * 1024
/** Chunks that are sealed while the one before them waits for its turn. */
const sealedAhead = 3
const largestCredit = 8 * 1024 * 1024
/** A line over which nothing has come for so long, though something should have, is given up. */
const silentMs = 15_000

/**
 * Sends the accepted files over one link: as fast as the other device takes them, every block with its digest. `hear` is
 * given what it answers. `run` settles when it has all of them whole, and rejects when the link is lost or it gives up.
 */
export function createFastSender({ outgoing, link, clock, signal, wrapKey, onProgress }: Sending) {
  const { tid, files, chunk, digests, done } = outgoing
  const transfer = fromBase64url(tid)
  const window = createWindow(clock.now())
  const keys = new Map<number, CryptoKey>()
  const resend: { file: number; chunk: number }[] = []
  let sent = 0
  let seen = 0
  let writtenOff = 0
  let credit = largestCredit
  let attempt = 0
  let heardAt = clock.now()
  let failure: Error | null = null
  let wake: () => void = () => undefined

  const say = (message: FastMessage) => link.control.send(JSON.stringify(message))
  const inFlight = () => Math.max(0, sent - seen - writtenOff)
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  function requireGoing(): void {
    signal.throwIfAborted()
    if (failure) throw failure
  }

  async function room(bytes: number): Promise<void> {
    while (inFlight() > 0 && inFlight() + bytes > Math.min(window.bytes(), credit)) {
      requireGoing()
      await change()
    }
    if (link.bulk.bufferedBytes() > bufferGuardBytes) await link.bulk.drained(bufferGuardBytes / 2, signal)
    requireGoing()
  }

  async function readBlock(file: number, block: number): Promise<Bytes> {
    const source = files[file] as OutgoingFile
    const start = block * blockBytes
    const bytes = await source.read(start, start + lengthAt(block, blockBytes, source.size))
    const digest = await portalDigest(bytes)
    const known = digests[file]?.[block]
    if (known && toBase64url(known) !== toBase64url(digest)) throw new SourceChanged()
    if (digests[file]) digests[file][block] = digest
    return bytes
  }

  function sealChunk(file: number, index: number, plain: Bytes): Promise<Bytes> {
    const frame = newFrame({ file, chunk: index, attempt }, plain.length)
    const target = frame.subarray(frameHeaderBytes)
    return sealPortalRecordInto({
      key: keys.get(file) as CryptoKey,
      plain,
      associated: boundTo(transfer, frame),
      target,
    }).then(() => frame)
  }

  async function sendFrame(frame: Bytes): Promise<void> {
    await room(frame.length)
    stampFrame(frame, clock.now())
    link.bulk.send(frame)
    sent += frame.length
  }

  async function sendBlock(file: number, block: number, bytes: Bytes): Promise<void> {
    const perBlock = blockBytes / chunk
    sayDigest(file, block)
    const sealed: Promise<Bytes>[] = []
    for (let start = 0; start < bytes.length || sealed.length > 0; start += chunk) {
      if (start < bytes.length) {
        const frame = sealChunk(file, block * perBlock + start / chunk, bytes.subarray(start, start + chunk))
        frame.catch(() => undefined)
        sealed.push(frame)
      }
      if (sealed.length > sealedAhead || start >= bytes.length) await sendFrame((await sealed.shift()) as Bytes)
    }
  }

  function sayDigest(file: number, block: number): void {
    say({ type: 'px-digests', tid, f: file, from: block, list: [toBase64url(digests[file]?.[block] as Bytes)] })
  }

  /** Before anything else goes out: what was kept may have come from another file of this name. */
  async function compare(have: Have): Promise<void> {
    for (const { f, sample } of have) {
      for (const { block, digest } of sample) {
        if (block >= blockCount(files[f]?.size ?? 0)) throw new SourceChanged()
        await readBlock(f, block)
        if (toBase64url(digests[f]?.[block] ?? new Uint8Array(0)) !== digest) throw new SourceChanged()
      }
    }
  }

  async function sendFile(file: number, have: string): Promise<void> {
    const { size } = files[file] as OutgoingFile
    const raw = createPortalKey()
    keys.set(file, await importPortalKey(raw))
    say({ type: 'px-file', tid, f: file, key: await wrapKey(raw) })
    const blocks = blockCount(size)
    const isThere = (block: number) => have[block] === '1'
    // What the other device has is read only where its digest is not known, for the root.
    const read = (block: number) =>
      block >= blocks || (isThere(block) && digests[file]?.[block]) ? null : readBlock(file, block)
    // The next block is read while this one goes out.
    let next = read(0)
    for (let block = 0; block < blocks; block += 1) {
      const bytes = await next
      next = read(block + 1)
      next?.catch(() => undefined)
      if (bytes && !isThere(block)) await sendBlock(file, block, bytes)
      else if (bytes) sayDigest(file, block)
      onProgress(file, Math.min(size, (block + 1) * blockBytes))
      await sendAgain()
    }
    const root = await rootOf(transfer, file, size, digests[file] ?? [])
    say({ type: 'px-end', tid, f: file, chunks: chunkCount(size, chunk), root })
  }

  async function sendAgain(): Promise<void> {
    for (let missing = resend.shift(); missing; missing = resend.shift()) {
      const { file, chunk: index } = missing
      const block = Math.floor((index * chunk) / blockBytes)
      const bytes = await readBlock(file, block)
      const start = index * chunk - block * blockBytes
      await sendFrame(await sealChunk(file, index, bytes.subarray(start, start + chunk)))
    }
  }

  /** Nothing was heard for so long that what is on its way is held back or lost. */
  async function watchForStalls(ended: AbortSignal): Promise<void> {
    let last = seen
    while (!ended.aborted) {
      await clock.wait(window.patience(), ended)
      if (seen === last && inFlight() > 0) window.stalled(clock.now())
      last = seen
      if (inFlight() > 0 && clock.now() - heardAt >= silentMs) link.close()
    }
  }

  function takeAck({ seen: arrived, credit: left, t, idle }: Said<'px-ack'>): void {
    const now = clock.now()
    if (arrived > seen) {
      const before = inFlight()
      seen = arrived
      window.acknowledged(now, ((now >>> 0) - t + 2 ** 32) % 2 ** 32, before)
    }
    credit = left
    if (idle) {
      writtenOff = sent - seen
      window.stalled(now)
    }
  }

  function takeNeed({ f, ranges }: Said<'px-need'>): void {
    const count = chunkCount(files[f]?.size ?? 0, chunk)
    attempt += 1
    for (const { first, count: length } of ranges) {
      for (let index = first; index < Math.min(count, first + length); index += 1) {
        if (!resend.some((one) => one.file === f && one.chunk === index)) resend.push({ file: f, chunk: index })
      }
    }
  }

  return {
    hear(message: FastMessage): void {
      heardAt = clock.now()
      if (message.type === 'px-ack') takeAck(message)
      if (message.type === 'px-need' && keys.has(message.f)) takeNeed(message)
      if (message.type === 'px-done' && message.f < files.length) done.add(message.f)
      if (message.type === 'px-cancel') failure = new PortalError(reasonOf(message.code))
      wake()
    },
    async run(have: Have): Promise<void> {
      const ended = new AbortController()
      const stop = () => wake()
      signal.addEventListener('abort', stop)
      watchForStalls(ended.signal).catch(() => undefined)
      try {
        await compare(have)
        for (const [file, { size }] of files.entries()) {
          if (done.has(file)) onProgress(file, size)
          else await sendFile(file, have.find(({ f }) => f === file)?.blocks ?? '')
        }
        while (done.size < files.length) {
          requireGoing()
          if (resend.length > 0) await sendAgain()
          else await change()
        }
      } catch (error) {
        if (error instanceof SourceChanged || isUnreadable(error)) {
          say({ type: 'px-cancel', tid, code: 'source-changed' })
          throw new PortalError(portalTexts.sourceChanged)
        }
        throw error
      } finally {
        ended.abort()
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

class SourceChanged extends Error {}

const isUnreadable = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotReadableError'

const reasons: Readonly<Record<CancelCode, string>> = {
  user: portalTexts.cancelled,
  'source-changed': portalTexts.sourceChanged,
  'too-much': portalTexts.tooMuch,
  damaged: portalTexts.damaged,
  'no-space': portalTexts.noSpace,
  failed: portalTexts.peerReset,
}

export const reasonOf = (code: CancelCode): string => reasons[code]
