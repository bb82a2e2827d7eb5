/** A stream that gives bytes in pieces of one size. */
export const streamOf = (
  bytes: Uint8Array,
  pieceBytes: number = Math.max(1, bytes.length),
): ReadableStream<Uint8Array> =>
  streamOfPieces(
    Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
      bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    ),
  )

export const streamOfPieces = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

export interface Drained {
  readonly bytes: Uint8Array
  /** What ended the stream, when it did not end well. */
  readonly error: unknown
}

/** Everything that came out of a stream, even when it failed in the end. */
export async function drain(stream: ReadableStream<Uint8Array>): Promise<Drained> {
  const pieces: Uint8Array[] = []
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value.slice())
    return { bytes: joined(pieces), error: null }
  } catch (error) {
    return { bytes: joined(pieces), error }
  }
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  pieces.reduce((offset, piece) => {
    whole.set(piece, offset)
    return offset + piece.length
  }, 0)
  return whole
}
