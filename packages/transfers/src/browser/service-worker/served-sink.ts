import type { Clock } from '@sallyport/client/clock'
import { ClientError } from '@sallyport/client/errors'
import { ignore } from '@sallyport/contract/ignore'
import type { FileHeader } from '@sallyport/crypto'
import type { Sink } from '../../engine/download/sink.ts'
import type { StagedRecordTasks } from '../workers/tasks.ts'
import type { PacedStream } from './paced-stream.ts'

/** From this speed on, fetching records again is cheaper than staging every one of them. */
const maxStagedBytesPerMs = 50_000
const measureMs = 250

interface ServedSinkInput {
  readonly paced: PacedStream
  readonly staged: StagedRecordTasks | null
  /** Resolves once the browser has requested the file. */
  readonly waitForRequest: () => Promise<void>
  readonly header: FileHeader
  readonly clock: Pick<Clock, 'now'>
}

/** Passes records in order to the browser, those that an earlier attempt has staged among them. */
export function createServedSink({ paced, staged, waitForRequest, header, clock }: ServedSinkInput): Sink<void> {
  const isWorthStaging = createStagingRule(clock)
  let next = 0
  let requested: Promise<void> | undefined
  let staging: Promise<unknown> = Promise.resolve()
  let canStage = staged !== null

  async function pass(plain: Uint8Array<ArrayBuffer>): Promise<void> {
    requested ??= waitForRequest()
    await requested
    await paced.write(plain)
    next += 1
  }

  /** Decrypts staged records up to this one, so that the rest of the file follows them. */
  async function passStaged(end: number, onDecrypted?: (plainBytes: number) => void): Promise<void> {
    while (next < end) {
      const plain = await staged?.read(next)
      if (!plain) throw new ClientError('STAGED_FILE_CHANGED')
      await pass(plain)
      onDecrypted?.(plain.length)
    }
  }

  /** Waits for the previous record only. */
  async function stage(position: number, sealed: Uint8Array<ArrayBuffer>): Promise<void> {
    const previous = staging
    staging = (staged as StagedRecordTasks).put(position, sealed).catch((error) => {
      canStage = false
      ignore(error, 'a later attempt fetches the record again')
    })
    await previous
  }

  return {
    storage: 'disk',
    isSeekable: false,
    async write(plain, position, sealed) {
      await passStaged(position / header.recordBytes)
      if (isWorthStaging(plain.length) && canStage) await stage(position, sealed)
      await pass(plain)
    },
    async close(onDecrypted) {
      await passStaged(header.recordCount, onDecrypted)
      paced.close()
    },
    async abort() {
      paced.fail(new Error('The download was cancelled'))
    },
  }
}

/** Whether records arrive so slowly that a later attempt gains by finding them on the disk. */
export function createStagingRule(clock: Pick<Clock, 'now'>): (bytes: number) => boolean {
  let isSlow = true
  let since = clock.now()
  let received = 0
  return (bytes) => {
    const elapsedMs = clock.now() - since
    if (elapsedMs >= measureMs) {
      isSlow = received / elapsedMs < maxStagedBytesPerMs
      since = clock.now()
      received = 0
    }
    received += bytes
    return isSlow
  }
}
