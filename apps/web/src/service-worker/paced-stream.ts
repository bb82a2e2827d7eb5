/** Kept ready for the browser, so that it need not wait for each record. */
const readyBytes = 2 * 1024 * 1024

export interface PacedStream {
  readonly stream: ReadableStream<Uint8Array>
  /** Settles when the reader wants more; rejects when it has gone. */
  write(bytes: Uint8Array): Promise<void>
  close(): void
  /** Ends the stream as broken off, so that nobody takes what is there for the whole. */
  fail(error: Error): void
  /** Settles when the stream has ended in whatever way. */
  readonly ended: Promise<void>
}

/** A stream that is written as fast as it is read. */
export function createPacedStream(goneText: string): PacedStream {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let wanted = Promise.withResolvers<void>()
  let isGone = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
      },
      pull: () => wanted.resolve(),
      cancel() {
        isGone = true
        wanted.resolve()
        end()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: readyBytes }),
  )

  return {
    stream,
    ended,
    async write(bytes) {
      if (isGone) throw new Error(goneText)
      wanted = Promise.withResolvers()
      // A copy: the writer goes on using its own bytes.
      controller?.enqueue(bytes.slice())
      if ((controller?.desiredSize ?? 0) <= 0) await wanted.promise
    },
    close() {
      if (!isGone) controller?.close()
      end()
    },
    fail(error) {
      if (!isGone) controller?.error(error)
      end()
    },
  }
}
