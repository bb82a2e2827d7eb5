import { systemClock } from '@sallyport/client/clock'
import { receiveRecords } from '@sallyport/client/download/receive-records'
import { downloadTexts } from '@sallyport/client/download/texts'
import { withBearer } from '@sallyport/client/http'
import { transferLimits } from '@sallyport/contract/limits'
import { answerNoSuchRange, answerPreview, type PlainRange, readPlainRange } from './answers.ts'
import { createPacedStream, type PacedStream } from './paced-stream.ts'
import type { PreviewAsk } from './served.tasks.ts'

export interface OpenPreview {
  readonly auth: string
  answer(request: Request): { readonly response: Response; readonly ended: Promise<void> }
}

interface Means {
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
  /** A token, another one than the one that was turned down. */
  readonly askForToken: (turnedDown: string | null) => Promise<string | null>
}

/** A file that is shown in the page: any range of it, opened record by record as it is asked for. */
export function openPreview({ handles, keys, mediaType, request }: PreviewAsk, means: Means): OpenPreview {
  const { header } = keys
  const bytes = header.plainBytes
  let token: string | null = null

  async function send(range: PlainRange, paced: PacedStream): Promise<void> {
    const first = Math.floor(range.start / header.recordBytes)
    const records = { first, end: Math.floor(range.end / header.recordBytes) + 1 }
    const gone = new AbortController()
    void paced.ended.then(() => gone.abort(new Error(downloadTexts.cancelled)))
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
        signal: AbortSignal.any([means.signal, gone.signal]),
      })
    token ??= await means.askForToken(null)
    let outcome = await receive()
    if (outcome.kind === 'refused' && outcome.status === 401) {
      token = await means.askForToken(token)
      outcome = await receive()
    }
    if (outcome.kind !== 'complete') throw new Error(downloadTexts.network)
    paced.close()
  }

  return {
    auth: handles.auth,
    answer({ headers }) {
      const range = readPlainRange(headers.get('Range'), bytes)
      if (range === 'none') return { response: answerNoSuchRange(bytes), ended: Promise.resolve() }
      const paced = createPacedStream(downloadTexts.cancelled)
      if (bytes === 0) paced.close()
      else send(range ?? { start: 0, end: bytes - 1 }, paced).catch((error: Error) => paced.fail(error))
      return { response: answerPreview({ stream: paced.stream, range, bytes, mediaType }), ended: paced.ended }
    },
  }
}
