import { transferLimits } from '@sallyport/contract/limits'
import { refusalOf } from '../answer.ts'
import { type AccessToken, requireToken } from '../call.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../errors.ts'
import { withBearer } from '../http.ts'
import { inDownloadWords, networkFailure } from './failures.ts'
import type { OpenLane } from './open-lane.ts'
import { partsAtOnce, planDownload, type RecordRange } from './plan.ts'
import type { ReceiveOutcome } from './receive-task.ts'
import type { OpenedSource } from './source.ts'
import { downloadTexts } from './texts.ts'

interface ReceiveFile extends OpenedSource {
  readonly kind: 'file' | 'share' | 'session'
  readonly lane: Pick<OpenLane<unknown>, 'isSeekable' | 'kept' | 'receive'>
  readonly accessToken: AccessToken
  readonly clock: Clock
  readonly onOpened: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Fetches every record of the file into the lane. The first failure stops what else is under way. */
export async function receiveFile(work: ReceiveFile): Promise<void> {
  const parts = planDownload(work.keys.header, work.lane.isSeekable, work.lane.kept)
  const stop = new AbortController()
  const stopping = { ...work, signal: AbortSignal.any([work.signal, stop.signal]) }

  async function takeParts(): Promise<void> {
    for (let part = parts.shift(); part; part = parts.shift()) await receivePart(stopping, part)
  }

  const places = Array.from({ length: partsAtOnce }, takeParts)
  try {
    await Promise.all(places)
  } finally {
    stop.abort()
    await Promise.allSettled(places)
  }
}

/** Goes on at the next record after a cut. Waiting counts from the start again once something has arrived. */
async function receivePart(work: ReceiveFile, part: RecordRange): Promise<void> {
  const delays = transferLimits.retryDelaysMs
  let first = part.first
  for (let failures = 0; ; failures += 1) {
    const outcome = await receive(work, { first, end: part.end })
    if (outcome.kind === 'complete') return
    const failure = failureOf(work, outcome)
    if (outcome.kind === 'cut' && outcome.nextRecord > first) {
      failures = 0
      first = outcome.nextRecord
      if (first === part.end) return
    }
    const delayMs = delays[failures]
    if (!failure.mayPass || delayMs === undefined) throw failure.error
    await work.clock.wait(Math.max(delayMs, failure.retryAfterMs ?? 0), work.signal)
  }
}

async function receive(work: ReceiveFile, records: RecordRange): Promise<ReceiveOutcome> {
  const { kind, lane, request, accessToken, onOpened, signal } = work
  const task = { request, records, timeoutMs: transferLimits.downloadTimeoutMs }
  if (kind !== 'file') return lane.receive(task, onOpened, signal)

  const token = await requireToken(accessToken)
  const outcome = await lane.receive({ ...task, request: withBearer(request, token) }, onOpened, signal)
  const fresh = outcome.kind === 'refused' && outcome.status === 401 ? await accessToken(token) : null
  if (fresh === null || fresh === token) return outcome
  return lane.receive({ ...task, request: withBearer(request, fresh) }, onOpened, signal)
}

interface Failure {
  readonly error: Error
  readonly mayPass: boolean
  readonly retryAfterMs?: number | undefined
}

const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504])

function failureOf({ kind, clock }: ReceiveFile, outcome: Exclude<ReceiveOutcome, { kind: 'complete' }>): Failure {
  switch (outcome.kind) {
    case 'cut':
    case 'unreachable':
      return { error: networkFailure(), mayPass: true }
    case 'timeout':
      return { error: new Error(downloadTexts.timeout), mayPass: false }
    case 'damaged':
      return { error: new Error(downloadTexts.damaged(outcome.record)), mayPass: false }
    case 'no-record-size':
      return { error: new Error(downloadTexts.noRecordSize), mayPass: false }
    case 'other-record-size':
      return { error: new Error(downloadTexts.otherRecordSize), mayPass: false }
    case 'refused': {
      const refusal = refusalOf(outcome, clock.now())
      const { retryAfterMs, status } = refusal
      return { error: inDownloadWords(new ApiError(refusal), kind), mayPass: passingStatuses.has(status), retryAfterMs }
    }
  }
}
