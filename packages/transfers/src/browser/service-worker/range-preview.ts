import { systemClock } from '@sallyport/client/clock'
import { withBearer } from '@sallyport/client/http'
import { transferLimits } from '@sallyport/contract/limits'
import { receiveRecords } from '../../engine/download/receive-records.ts'
import { createPacedStream, type PacedStream } from './paced-stream.ts'
import { type ByteRange, parseByteRange, previewResponse, rangeNotSatisfiableResponse } from './responses.ts'
import type { PreviewInput } from './served.tasks.ts'

export interface ServedPreview {
  readonly auth: string
  respond(request: Request): Response
}

interface ServedPreviewDeps {
  /** Aborts all pending requests. */
  readonly signal: AbortSignal
  /** Requests an access token other than the rejected one. */
  readonly requestToken: (rejected: string | null) => Promise<string | null>
}

/** Serves any byte range of a file that the page displays, decrypting record by record on demand. */
export function createServedPreview(
  { handles, keys, mediaType, request }: PreviewInput,
  deps: ServedPreviewDeps,
): ServedPreview {
  const { header } = keys
  const bytes = header.plainBytes
  let token: string | null = null

  async function streamRange(range: ByteRange, paced: PacedStream): Promise<void> {
    const first = Math.floor(range.start / header.recordBytes)
    const records = { first, end: Math.floor(range.end / header.recordBytes) + 1 }
    const cancelled = new AbortController()
    void paced.ended.then(() => cancelled.abort(new Error('The preview was cancelled')))
    const receive = (): ReturnType<typeof receiveRecords> =>
      receiveRecords({
        keys,
        records,
        request: withBearer(request, token),
        timeoutMs: transferLimits.downloadTimeoutMs,
        sink: {
          write: (plain, position) =>
            paced.write(plain.subarray(Math.max(0, range.start - position), range.end + 1 - position)),
        },
        fetch: (input, init) => fetch(input, init),
        clock: systemClock,
        onOpened: () => undefined,
        signal: AbortSignal.any([deps.signal, cancelled.signal]),
      })
    token ??= await deps.requestToken(null)
    let outcome = await receive()
    if (outcome.kind === 'refused' && outcome.status === 401) {
      token = await deps.requestToken(token)
      outcome = await receive()
    }
    if (outcome.kind !== 'complete') throw new Error(`The range was not received: ${outcome.kind}`)
    paced.close()
  }

  return {
    auth: handles.auth,
    respond({ headers }) {
      const range = parseByteRange(headers.get('Range'), bytes)
      if (range === 'none') return rangeNotSatisfiableResponse(bytes)
      const paced = createPacedStream()
      if (bytes === 0) paced.close()
      else streamRange(range ?? { start: 0, end: bytes - 1 }, paced).catch((error: Error) => paced.fail(error))
      return previewResponse({ stream: paced.stream, range, bytes, mediaType })
    },
  }
}
