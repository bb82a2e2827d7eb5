import { classicPortalLimits } from '@sallyport/contract/limits'
import { type Bytes, createPortalKey, importPortalKey, sealPortalRecord } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import { type Channel, type OutgoingFile, PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import { type ClassicMessage, writeClassicKey } from './classic-messages.ts'
import { classOf, createPace } from './classic-pace.ts'

interface Sending {
  readonly file: OutgoingFile
  readonly main: Channel
  readonly clock: Clock
  /** Aborted with a `PortalError` when the transfer is over before its end. */
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** Sends an accepted file the way the specification has it. Says `transfer-complete` only once nothing waits to go out. */
export async function sendClassic({ file, main, clock, signal, onProgress }: Sending): Promise<void> {
  const say = (message: ClassicMessage) => main.send(JSON.stringify(message))
  const figures = classOf(file.size)
  const raw = createPortalKey()
  const key = await importPortalKey(raw)
  const pace = createPace(figures, clock.now())
  say({ type: 'encryption-key', key: writeClassicKey(raw), fileName: file.name, originalSize: file.size })

  for (let start = 0; start < file.size; start += figures.chunkBytes) {
    const end = Math.min(file.size, start + figures.chunkBytes)
    const plain = await file.read(start, end)
    const sealed = await sealPortalRecord(key, plain)
    await clock.wait(pace(clock.now(), main.bufferedBytes()), signal)
    if (main.bufferedBytes() > figures.bufferBytes)
      await drain({ main, clock, signal }, figures.bufferBytes / 2, figures.drainMs)
    await sendChunk({ main, clock, signal }, sealed)
    onProgress(end)
  }
  await drain({ main, clock, signal }, 0, figures.drainMs)
  say({ type: 'transfer-complete' })
}

type Way = Pick<Sending, 'main' | 'clock' | 'signal'>

async function sendChunk({ main, clock, signal }: Way, sealed: Bytes): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return main.send(sealed)
    } catch {
      if (attempt >= classicPortalLimits.sendRetries) throw new PortalError(portalTexts.chunkNotSent)
      await clock.wait(100 * attempt, signal)
    }
  }
}

const lookEveryMs = 50

/** Waits until little enough waits; the time without any progress is what counts. */
async function drain({ main, clock, signal }: Way, toBytes: number, timeoutMs: number): Promise<void> {
  let lowest = main.bufferedBytes()
  let movedAt = clock.now()
  while (main.bufferedBytes() > toBytes) {
    await clock.wait(lookEveryMs, signal)
    if (main.bufferedBytes() < lowest) {
      lowest = main.bufferedBytes()
      movedAt = clock.now()
    }
    if (clock.now() - movedAt > timeoutMs) throw new PortalError(portalTexts.drainTimeout)
  }
}
