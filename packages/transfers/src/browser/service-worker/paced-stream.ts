import { ClientError } from '@sallyport/client/errors'

/** High-water mark: buffered for the browser, so that it need not wait for each record. */
const highWaterMark = 2 * 1024 * 1024

export interface PacedStream {
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves when the reader is ready for more; rejects if it has cancelled. The bytes must not change afterwards. */
  write(bytes: Uint8Array): Promise<void>
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
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const end = () => {
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

  return {
    stream,
    ended,
    async write(bytes) {
      if (isCancelled) throw new ClientError('DOWNLOAD_CANCELLED')
      demand = Promise.withResolvers()
      controller?.enqueue(bytes)
      if ((controller?.desiredSize ?? 0) <= 0) await demand.promise
    },
    close() {
      if (!hasEnded) controller?.close()
      end()
    },
    fail(error) {
      if (!hasEnded) controller?.error(error)
      demand.resolve()
      end()
    },
  }
}
