import { type Bytes, fromBase64url, importPortalKey, openPortalRecord } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import { type Link, PortalError } from '../channel.ts'
import { type AssemblyEvents, createAssembly } from './assembly.ts'
import { chunkCount, lengthAt } from './blocks.ts'
import type { CancelCode, FastMessage, Said } from './fast-messages.ts'
import { reasonOf } from './fast-send.ts'
import { boundTo, frameHeaderBytes, readFrame } from './frame.ts'
import { beginAnew, type Incoming } from './incoming.ts'

interface Receiving extends AssemblyEvents {
  readonly incoming: Incoming
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly unwrapKey: (wrapped: string) => Promise<Bytes>
}

const creditBytes = 8 * 1024 * 1024
const tellAtLeastBytes = 128 * 1024
const idleMs = 1500
/** The key comes over another channel and may be overtaken by a few frames. */
const mostEarlyFrames = 256

/**
 * Takes files over one link. A block is kept only once all of it is there and its digest fits, and a file is handed over
 * only once all its blocks are; whatever is missing is asked for again. `done` rejects when the transfer cannot go on.
 */
export function createFastReceiver({ incoming, link, clock, signal, unwrapKey, ...events }: Receiving) {
  const { tid, chunk, files } = incoming
  const transfer = fromBase64url(tid)
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  done.catch(() => undefined)
  const early: Bytes[] = []
  let seen = 0
  let told = 0
  let queued = 0
  let stamp = 0
  let heardAt = clock.now()
  let isOver = false
  let work: Promise<void> = Promise.resolve()

  const say = (message: FastMessage) => link.control.send(JSON.stringify(message))
  const acknowledge = (idle = false) => {
    if (isOver) return
    told = seen
    const credit = creditBytes - assembly.heldBytes() - queued
    say({ type: 'px-ack', tid, seen, credit, t: stamp, ...(idle && { idle }) })
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

  const assembly = createAssembly({ ...events, incoming, say, giveUp, acknowledge, onWhole: () => end(null) })

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
    const bound = boundTo(transfer, bytes.subarray(0, frameHeaderBytes))
    const plain = await openPortalRecord(await file.key, frame.sealed, bound)
    if (!plain) return
    const isOffered = frame.chunk < chunkCount(size, chunk) && plain.length === lengthAt(frame.chunk, chunk, size)
    if (!isOffered) giveUp('too-much')
    await assembly.place(file, frame.chunk, plain)
  }

  /** One word for several frames while they come faster than they are taken. */
  async function takeQueued(bytes: Bytes): Promise<void> {
    queued -= bytes.length
    await takeFrame(bytes)
    if (queued === 0 || seen - told >= tellAtLeastBytes) acknowledge()
  }

  function lookForGaps(): void {
    if (clock.now() - heardAt < idleMs) return
    heardAt = clock.now()
    acknowledge(true)
    assembly.askForGaps()
  }

  async function watch(): Promise<void> {
    while (!isOver && !signal.aborted) {
      await clock.wait(idleMs / 3, signal)
      // To its sender a receiver that says nothing for long is gone.
      if (assembly.isFinishing()) acknowledge()
      next(lookForGaps)
    }
  }

  async function takeKey({ f, key }: Said<'px-file'>): Promise<void> {
    const file = files[f]
    if (!file || file.isDone || file.key) return
    file.key = importPortalKey(await unwrapKey(key))
    for (const frame of early.splice(0)) await takeFrame(frame)
  }

  async function takeDigests({ f, from, list }: Said<'px-digests'>): Promise<void> {
    const file = files[f]
    if (!file) return
    for (const [index, digest] of list.entries()) await assembly.takeDigest(file, from + index, digest)
  }

  async function takeEnd(said: Said<'px-end'>): Promise<void> {
    const file = files[said.f]
    if (file) await assembly.takeEnd(file, said)
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
      if (message.type === 'px-digests') next(() => takeDigests(message))
      if (message.type === 'px-end') next(() => takeEnd(message))
      if (message.type === 'px-cancel') next(() => end(new PortalError(reasonOf(message.code))))
    },
  }
}
