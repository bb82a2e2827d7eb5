import { type GetAccessToken, withFreshToken } from '@sallyport/client/call'
import type { Clock } from '@sallyport/client/clock'
import { type Connectivity, waitIfAway, waitUntilOnline } from '@sallyport/client/connectivity'
import { ClientError, NetworkError, transientStatuses } from '@sallyport/client/errors'
import { withBearer } from '@sallyport/client/http'
import { toApiError } from '@sallyport/client/response'
import { transferLimits } from '@sallyport/contract/limits'
import { runConcurrently } from '../concurrency.ts'
import type { DecryptWorker } from './decrypt-worker.ts'
import { concurrentParts, planDownload, type RecordRange } from './plan.ts'
import type { ReceiveOutcome } from './receive-task.ts'
import type { OpenedSource } from './source.ts'

interface ReceiveFileInput extends OpenedSource {
  readonly needsAccessToken: boolean
  readonly worker: Pick<DecryptWorker<unknown>, 'isSeekable' | 'writtenRecords' | 'receive'>
  readonly accessToken: GetAccessToken
  readonly clock: Clock
  readonly connectivity: Connectivity
  readonly onOpened: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Passes every missing record of the file to the worker. The first failure stops the other requests. */
export async function receiveFile(input: ReceiveFileInput): Promise<void> {
  const parts = planDownload(input.keys.header, input.worker.writtenRecords)
  // What cannot seek gets its records in order.
  const slots = input.worker.isSeekable ? concurrentParts : 1
  await runConcurrently(slots, input.signal, async (_slot, signal) => {
    for (let part = parts.shift(); part; part = parts.shift()) await receivePart({ ...input, signal }, part)
  })
}

/**
 * Resumes at the next record after a lost connection. The retry delays restart once a record has arrived, and after the
 * server was away, which is waited for without a limit.
 */
async function receivePart(input: ReceiveFileInput, part: RecordRange): Promise<void> {
  const { connectivity, signal, clock } = input
  const delays = transferLimits.retryDelaysMs
  let first = part.first
  for (let failures = 0; ; failures += 1) {
    if (await waitUntilOnline(connectivity, signal)) failures = 0
    const outcome = await receiveOnce(input, { first, end: part.end })
    if (outcome.kind === 'complete') return
    const failure = toReceiveFailure(input, outcome)
    if (outcome.kind === 'cut' && outcome.nextRecord > first) {
      failures = 0
      first = outcome.nextRecord
      if (first === part.end) return
    }
    if (await waitIfAway(connectivity, failure.error, signal)) {
      failures = -1
      continue
    }
    const delayMs = delays[failures]
    if (!failure.isTransient || delayMs === undefined) throw failure.error
    await clock.wait(Math.max(delayMs, failure.retryAfterMs ?? 0), signal)
  }
}

async function receiveOnce(input: ReceiveFileInput, records: RecordRange): Promise<ReceiveOutcome> {
  const { needsAccessToken, worker, request, accessToken, onOpened, signal } = input
  const task = { request, records, timeoutMs: transferLimits.downloadTimeoutMs }
  if (!needsAccessToken) return worker.receive(task, onOpened, signal)

  try {
    return await withFreshToken(
      accessToken,
      (token) => worker.receive({ ...task, request: withBearer(request, token) }, onOpened, signal),
      (outcome) => outcome.kind === 'refused' && outcome.status === 401,
    )
  } catch (error) {
    // The token could not be renewed because of a network error.
    if (error instanceof NetworkError) return { kind: 'unreachable' }
    throw error
  }
}

interface ReceiveFailure {
  readonly error: Error
  readonly isTransient: boolean
  readonly retryAfterMs?: number | undefined
}

function toReceiveFailure(
  { clock }: ReceiveFileInput,
  outcome: Exclude<ReceiveOutcome, { kind: 'complete' }>,
): ReceiveFailure {
  switch (outcome.kind) {
    case 'cut':
    case 'unreachable':
      return { error: new NetworkError(), isTransient: true }
    case 'timeout':
      return { error: new ClientError('DOWNLOAD_TIMEOUT'), isTransient: false }
    case 'damaged':
      return { error: new ClientError('RECORD_DAMAGED', { index: outcome.record }), isTransient: false }
    case 'no-record-size':
      return { error: new ClientError('RECORD_SIZE_MISSING'), isTransient: false }
    case 'other-record-size':
      return { error: new ClientError('RECORD_SIZE_MISMATCH'), isTransient: false }
    case 'refused': {
      const error = toApiError(outcome, clock.now())
      return { error, isTransient: transientStatuses.has(error.status), retryAfterMs: error.retryAfterMs }
    }
  }
}
