import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { type Bytes, createPortalKey, importPortalKey, sealPortalRecord } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import type { Channel, OutgoingFile } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { encodeLegacyKey, type LegacyMessage } from './legacy-messages.ts'

interface SendLegacyOptions {
  readonly file: OutgoingFile
  readonly main: Channel
  readonly clock: Clock
  /** Aborted with a `PortalError` when the transfer is cancelled. */
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** Sends an accepted file by the legacy protocol. `transfer-complete` is sent only once the buffer is empty. */
export async function sendLegacyFile({ file, main, clock, signal, onProgress }: SendLegacyOptions): Promise<void> {
  const sendMessage = (message: LegacyMessage) => main.send(JSON.stringify(message))
  const sizeClass = sizeClassFor(file.size)
  const raw = createPortalKey()
  const key = await importPortalKey(raw)
  const nextDelay = createPacer(sizeClass, clock.now())
  sendMessage({ type: 'encryption-key', key: encodeLegacyKey(raw), fileName: file.name, originalSize: file.size })

  for (let start = 0; start < file.size; start += sizeClass.chunkBytes) {
    const end = Math.min(file.size, start + sizeClass.chunkBytes)
    const plain = await file.read(start, end)
    const sealed = await sealPortalRecord(key, plain)
    await clock.wait(nextDelay(clock.now(), main.bufferedBytes()), signal)
    if (main.bufferedBytes() > sizeClass.bufferBytes)
      await drain({ main, clock, signal }, sizeClass.bufferBytes / 2, sizeClass.drainMs)
    await sendChunk({ main, clock, signal }, sealed)
    onProgress(end)
  }
  await drain({ main, clock, signal }, 0, sizeClass.drainMs)
  sendMessage({ type: 'transfer-complete' })
}

type SendLegacyContext = Pick<SendLegacyOptions, 'main' | 'clock' | 'signal'>

async function sendChunk({ main, clock, signal }: SendLegacyContext, sealed: Bytes): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return main.send(sealed)
    } catch (error) {
      ignore(error, 'the chunk is sent again, or the transfer fails')
      if (attempt >= legacyPortalLimits.sendRetries) throw new PortalError('CHUNK_NOT_SENT')
      await clock.wait(100 * attempt, signal)
    }
  }
}

const pollIntervalMs = 50

/** Waits until at most `toBytes` are buffered. The timeout counts only time without progress. */
async function drain({ main, clock, signal }: SendLegacyContext, toBytes: number, timeoutMs: number): Promise<void> {
  let fewestBytes = main.bufferedBytes()
  let progressedAt = clock.now()
  while (main.bufferedBytes() > toBytes) {
    await clock.wait(pollIntervalMs, signal)
    if (main.bufferedBytes() < fewestBytes) {
      fewestBytes = main.bufferedBytes()
      progressedAt = clock.now()
    }
    if (clock.now() - progressedAt > timeoutMs) throw new PortalError('DRAIN_TIMEOUT')
  }
}

type SizeClass = (typeof legacyPortalLimits.classes)[number]

const shrinkAfterMs = 2000
const minDelayMs = 1
const shrinkFactor = 0.8

/** The chunk size, delay and buffer limits for a file of this size. */
function sizeClassFor(bytes: number): SizeClass {
  const found = legacyPortalLimits.classes.find(({ upToBytes }) => bytes <= upToBytes)
  if (!found) throw new RangeError('Invalid file size')
  return found
}

/**
 * Returns the delay before the next chunk. The specification's delay grows up to eightfold while more than half of the
 * buffer is full. After 2 s below that it shrinks by a fifth each second, and is restored when the buffer fills again.
 */
function createPacer({ delayMs, bufferBytes }: SizeClass, startedAt: number) {
  let scale = 1
  let calmSince = startedAt
  let current: number = delayMs
  let shrunkAt = startedAt

  return (now: number, bufferedBytes: number): number => {
    if (bufferedBytes > bufferBytes / 2) {
      scale = Math.min(legacyPortalLimits.maxDelayScale, scale * 2)
      current = delayMs
      calmSince = now
      return delayMs * scale
    }
    scale = Math.max(1, scale / 2)
    if (now - calmSince >= shrinkAfterMs && now - shrunkAt >= 1000) {
      shrunkAt = now
      current = Math.max(minDelayMs, current * shrinkFactor)
    }
    return current * scale
  }
}
