import { type Bytes, importPortalKey, openPortalRecord } from '@sallyport/crypto/portal'
import { type FileOffer, PortalError, type PortalSink } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import { type ClassicMessage, readClassicKey } from './classic-messages.ts'

interface Receiving {
  /** What was accepted; nothing else is taken. */
  readonly offer: FileOffer
  readonly sink: PortalSink
  readonly onProgress: (bytes: number) => void
}

const ivBytes = 12
const rememberedIvs = 4096

/**
 * Takes one file the way the specification has it. Chunks that do not open are skipped and counted: the file is handed
 * over only when none was and all its bytes are there, in `done`. Nothing is left behind otherwise.
 */
export function createClassicReceiver({ offer, sink, onProgress }: Receiving) {
  const seen = new Set<string>()
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  // Whoever waits for it hears of it; nobody has to.
  done.catch(() => undefined)
  let key: Promise<CryptoKey> | null = null
  let received = 0
  let isOver = false
  let work: Promise<void> = Promise.resolve()

  /** One thing after the other, in the order in which it came. */
  function next(step: () => Promise<void> | void): void {
    work = work.then(async () => {
      if (!isOver) await step()
    })
    work = work.catch((error: unknown) => fail(error instanceof Error ? error : new PortalError(portalTexts.damaged)))
  }

  async function fail(error: Error): Promise<void> {
    if (isOver) return
    isOver = true
    await sink.discard().catch(() => undefined)
    reject(error)
  }

  async function takeChunk(sealed: Bytes): Promise<void> {
    if (!key || isRepeated(sealed)) return
    const plain = await openPortalRecord(await key, sealed)
    if (!plain) return
    const { length } = plain
    if (received + length > offer.size) throw new PortalError(portalTexts.tooMuch)
    await sink.write(plain, received).catch(() => {
      throw new PortalError(portalTexts.noSpaceHere)
    })
    received += length
    onProgress(received)
  }

  function isRepeated(sealed: Bytes): boolean {
    const iv = sealed.subarray(0, ivBytes).join()
    if (seen.has(iv)) return true
    seen.add(iv)
    if (seen.size > rememberedIvs) for (const oldest of [...seen].slice(0, rememberedIvs / 2)) seen.delete(oldest)
    return false
  }

  async function complete(): Promise<void> {
    if (!key || received !== offer.size) throw new PortalError(portalTexts.incomplete(offer.size - received))
    await sink.finish()
    isOver = true
    resolve()
  }

  return {
    done,
    takeKey({ key: text, fileName, originalSize }: Extract<ClassicMessage, { type: 'encryption-key' }>): void {
      next(() => {
        const raw = readClassicKey(text)
        const isForThis = fileName === offer.name && originalSize === offer.size
        // A key belongs to the transfer that was accepted, and there is one for each.
        if (!raw || !isForThis || key) throw new PortalError(portalTexts.damaged)
        key = importPortalKey(raw)
      })
    },
    takeChunk: (sealed: Bytes) => next(() => takeChunk(sealed)),
    takeEnd: () => next(complete),
    stop: (error: Error) => next(() => fail(error)),
  }
}
