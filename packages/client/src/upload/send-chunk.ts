import type { EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { transferLimits } from '@sallyport/contract/limits'
import { readAnswer } from '../answer.ts'
import { type AccessToken, requireToken } from '../call.ts'
import type { Clock } from '../clock.ts'
import { ApiError, NetworkError } from '../errors.ts'
import { withBearer } from '../http.ts'
import type { PreparedRequest } from '../request.ts'
import { inUploadWords, mayPass } from './failures.ts'
import { FileChangedError } from './file-source.ts'
import { type Line, untilOpen, whileOpen } from './line.ts'
import type { Chunk } from './plan.ts'
import type { LaneProgress, SealLane, SendOutcome } from './seal-lane.ts'
import { uploadTexts } from './texts.ts'
import type { WayKeeper } from './way.ts'

interface SendChunk<E extends EndpointSpec> {
  readonly endpoint: E
  readonly request: PreparedRequest
  readonly chunk: Chunk
  readonly lane: SealLane
  readonly accessToken: AccessToken
  readonly clock: Clock
  readonly ways: WayKeeper
  readonly line: Line
  readonly onProgress: (progress: LaneProgress) => void
  readonly onTimeout?: () => void
  /** What to say when the last attempt failed like this. */
  readonly giveUp: (last: Error) => Error
  /** Looks whether an attempt that seemed to fail has been taken after all; asked before each further one. */
  readonly findTaken?: () => Promise<Reply<E> | null>
  readonly signal: AbortSignal
}

/**
 * Sends one chunk and sees it through failures that pass: up to three more attempts, each with the same sealed bytes.
 * Where the line closes it waits for as long as that takes, and what was tried before counts no more.
 */
export async function sendChunk<E extends EndpointSpec>(work: SendChunk<E>): Promise<Reply<E>> {
  const { clock, line, findTaken, signal } = work
  for (let attempt = 0; ; attempt += 1) {
    if (await untilOpen(line, signal)) attempt = 0
    const result = await whileOpen(line, signal, (ending) => tryOnce({ ...work, signal: ending }))
    if ('reply' in result) return result.reply
    if (!mayPass(result.error)) throw result.error
    const delayMs = transferLimits.retryDelaysMs[attempt]
    if (delayMs === undefined) throw work.giveUp(result.error)
    const askedMs = result.error instanceof ApiError ? (result.error.retryAfterMs ?? 0) : 0
    await clock.wait(Math.max(delayMs, askedMs), signal)
    const taken = await findTaken?.().catch(() => null)
    if (taken) return taken
  }
}

type Result<E extends EndpointSpec> = { readonly reply: Reply<E> } | { readonly error: Error }

async function tryOnce<E extends EndpointSpec>(work: SendChunk<E>): Promise<Result<E>> {
  const { accessToken, endpoint } = work
  if (endpoint.access !== 'account') return send(work, null)
  try {
    const token = await requireToken(accessToken)
    const result = await send(work, token)
    if (!('error' in result && result.error instanceof ApiError && result.error.status === 401)) return result
    const fresh = await accessToken(token)
    return fresh === null || fresh === token ? result : await send(work, fresh)
  } catch (error) {
    // A token could not be renewed for want of the network.
    if (error instanceof NetworkError) return { error: inUploadWords(error) }
    throw error
  }
}

async function send<E extends EndpointSpec>(work: SendChunk<E>, token: string | null): Promise<Result<E>> {
  const { lane, chunk, request, ways, onProgress, onTimeout, signal } = work
  const way = ways.current()
  const task = { chunk, request: withBearer(request, token), way, timeoutMs: transferLimits.chunkTimeoutMs }
  const outcome = await lane.sealAndSend(task, onProgress, signal)
  if (ways.learn(way, outcome) && ways.current() !== way) return send(work, token)
  if (outcome.kind === 'timeout') onTimeout?.()
  return readOutcome(work, outcome)
}

function readOutcome<E extends EndpointSpec>(
  { endpoint, chunk, clock }: SendChunk<E>,
  outcome: SendOutcome,
): Result<E> {
  if (outcome.kind === 'unreachable') return { error: new NetworkError(uploadTexts.network) }
  if (outcome.kind === 'timeout') return { error: new Error(uploadTexts.chunkTimeout(chunk.index)) }
  if (outcome.kind === 'file-changed') return { error: new FileChangedError() }
  try {
    return { reply: readAnswer(endpoint, outcome, clock.now()) }
  } catch (error) {
    return { error: inUploadWords(error) }
  }
}
