import { ignore } from '@sallyport/contract/ignore'
import { type Bytes, importPortalKey, openPortalRecord } from '@sallyport/crypto/portal'
import type { FileOffer, PortalSink } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { type LegacyMessage, parseLegacyKey } from './legacy-messages.ts'

interface LegacyReceiverOptions {
  /** The accepted file; anything else is an error. */
  readonly offer: FileOffer
  readonly sink: PortalSink
  readonly onProgress: (bytes: number) => void
}

const ivBytes = 12
const maxRememberedIvs = 4096

/**
 * Receives one file by the legacy protocol. Chunks that fail to decrypt are skipped. `done` resolves once the file is
 * saved, which requires all its bytes; otherwise it rejects and everything written is deleted.
 */
export function createLegacyReceiver({ offer, sink, onProgress }: LegacyReceiverOptions) {
  const seen = new Set<string>()
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  done.catch((error) => ignore(error, 'callers need not await the outcome'))
  let key: Promise<CryptoKey> | null = null
  let received = 0
  let isOver = false

  const runInOrder = createSerialQueue((error) => fail(error instanceof Error ? error : new PortalError('DAMAGED')))
  const enqueue = (step: () => Promise<void> | void): void =>
    runInOrder(async () => {
      if (!isOver) await step()
    })

  async function fail(error: Error): Promise<void> {
    if (isOver) return
    isOver = true
    await sink.discard().catch((discardError) => ignore(discardError, 'the transfer has failed anyway'))
    reject(error)
  }

  async function receiveChunk(sealed: Bytes): Promise<void> {
    if (!key || isRepeated(sealed)) return
    const plain = await openPortalRecord(await key, sealed)
    if (!plain) return
    const { length } = plain
    if (received + length > offer.size) throw new PortalError('TOO_MUCH')
    await sink.write(plain, received).catch(() => {
      throw new PortalError('NO_SPACE_HERE')
    })
    received += length
    onProgress(received)
  }

  function isRepeated(sealed: Bytes): boolean {
    const iv = sealed.subarray(0, ivBytes).join()
    if (seen.has(iv)) return true
    seen.add(iv)
    if (seen.size > maxRememberedIvs) for (const oldest of [...seen].slice(0, maxRememberedIvs / 2)) seen.delete(oldest)
    return false
  }

  async function complete(): Promise<void> {
    if (!key || received !== offer.size) throw new PortalError('INCOMPLETE', offer.size - received)
    await sink.finish()
    isOver = true
    resolve()
  }

  return {
    done,
    handleKey({ key: text, fileName, originalSize }: Extract<LegacyMessage, { type: 'encryption-key' }>): void {
      enqueue(() => {
        const raw = parseLegacyKey(text)
        const isForThis = fileName === offer.name && originalSize === offer.size
        // There is exactly one key per accepted transfer.
        if (!raw || !isForThis || key) throw new PortalError('DAMAGED')
        key = importPortalKey(raw)
      })
    },
    handleChunk: (sealed: Bytes) => enqueue(() => receiveChunk(sealed)),
    handleEnd: () => enqueue(complete),
    stop: (error: Error) => enqueue(() => fail(error)),
  }
}
