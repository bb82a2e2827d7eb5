/** A stream that emits bytes in pieces of one size. */
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

export interface DrainResult {
  readonly bytes: Uint8Array
  /** The error of the stream, null if it closed. */
  readonly error: unknown
}

/** Reads everything that a stream emits, even if it errors. */
export async function drain(stream: ReadableStream<Uint8Array>): Promise<DrainResult> {
  const pieces: Uint8Array[] = []
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value.slice())
    return { bytes: concatPieces(pieces), error: null }
  } catch (error) {
    return { bytes: concatPieces(pieces), error }
  }
}

export function concatPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  pieces.reduce((offset, piece) => {
    result.set(piece, offset)
    return offset + piece.length
  }, 0)
  return result
}
