import { ClientError } from '@sallyport/client/errors'

/** High-water mark: buffered for the browser, so that it need not wait for each record. */
const highWaterMark = 2 * 1024 * 1024
/**
 * Chromium ends a response that is silent for five minutes, also while the server is only away. So the last bytes of each
 * record are held back and passed on one by one while there are no others: enough for days.
 */
const heldBytes = 4096
const tricklePauseMs = 60_000

export interface PacedStream {
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves when the reader is ready for more; rejects if it has cancelled. The bytes must not change afterwards. */
  write(bytes: Uint8Array): Promise<void>
  /** Throws if the reader has cancelled. */
  close(): void
  /** Errors the stream, so that the partial content is not mistaken for the whole. Does nothing after `close`. */
  fail(error: Error): void
  /** Resolves when the stream has been closed, cancelled or errored. */
  readonly ended: Promise<void>
}

/** A readable stream with a backpressured `write`. */
export function createPacedStream(): PacedStream {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let demand = Promise.withResolvers<void>()
  let isCancelled = false
  let hasEnded = false
  let held = new Uint8Array()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const end = () => {
    clearInterval(timer)
    hasEnded = true
    resolve()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(initial) {
        controller = initial
      },
      pull: () => demand.resolve(),
      cancel() {
        isCancelled = true
        demand.resolve()
        end()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: highWaterMark }),
  )

  /** The reader may cancel while it takes the previous bytes. */
  function pass(bytes: Uint8Array): void {
    if (bytes.length > 0 && !isCancelled) controller?.enqueue(bytes)
  }

  /** Passes on these bytes and those that were held back, except for the last ones. */
  function enqueue(bytes: Uint8Array, holdBack: number): void {
    const cut = Math.max(0, bytes.length - holdBack)
    pass(held)
    pass(bytes.subarray(0, cut))
    held = bytes.slice(cut)
  }

  function throwIfCancelled(): void {
    if (isCancelled) throw new ClientError('DOWNLOAD_CANCELLED')
  }

  function trickle(): void {
    if (held.length < 2) return
    pass(held.slice(0, 1))
    held = held.subarray(1)
  }

  return {
    stream,
    ended,
    async write(bytes) {
      throwIfCancelled()
      demand = Promise.withResolvers()
      clearInterval(timer)
      timer = setInterval(trickle, tricklePauseMs)
      enqueue(bytes, heldBytes)
      if ((controller?.desiredSize ?? 0) <= 0) await demand.promise
      throwIfCancelled()
    },
    close() {
      throwIfCancelled()
      if (!hasEnded) {
        enqueue(new Uint8Array(), 0)
        throwIfCancelled()
        controller?.close()
      }
      end()
    },
    fail(error) {
      if (!hasEnded) controller?.error(error)
      demand.resolve()
      end()
    },
  }
}
