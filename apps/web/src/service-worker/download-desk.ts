import { systemClock } from '@sallyport/client/clock'
import { createOpenLane, type OpenLane } from '@sallyport/client/download/open-lane'
import { downloadTexts } from '@sallyport/client/download/texts'
import { answerDownload } from './answers.ts'
import { createPacedStream, type PacedStream } from './paced-stream.ts'
import type { OfferAsk } from './served.tasks.ts'

/** An address that nobody has asked for by then is forgotten, and its key with it. */
const claimedWithinMs = 60_000

/** A file that a page hands to the browser: asked for once, at its address, and then written as it arrives. */
export interface OfferedDownload {
  readonly auth: string
  /** Answers the browser; the address is used up by then. */
  answer(): { readonly response: Response; readonly ended: Promise<void> }
  /** Settles when the browser has asked, rejects when it never did. */
  readonly claimed: Promise<void>
  readonly lane: OpenLane<undefined>
}

export function offerDownload({ handles, keys, name }: OfferAsk): OfferedDownload {
  const paced: PacedStream = createPacedStream(downloadTexts.cancelled)
  const { promise: claimed, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('The browser did not ask for the file')), claimedWithinMs)
  const lane = createOpenLane<undefined>({
    keys,
    sink: {
      place: 'disk',
      isSeekable: false,
      write: (bytes) => paced.write(bytes),
      async close() {
        paced.close()
        return undefined
      },
      async abort() {
        paced.fail(new Error(downloadTexts.cancelled))
      },
    },
    fetch: (input, init) => fetch(input, init),
    clock: systemClock,
  })
  return {
    auth: handles.auth,
    claimed,
    lane,
    answer() {
      clearTimeout(timer)
      resolve()
      return { response: answerDownload(paced.stream, keys.header.plainBytes, name), ended: paced.ended }
    },
  }
}
