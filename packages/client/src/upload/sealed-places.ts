/** Bytes in memory, or a file that the browser keeps for us. */
export type SealedBody = Uint8Array<ArrayBuffer> | Blob

/** Where one sealed chunk lies until the server has taken it. */
export interface SealedPlace {
  /** The bytes are free for other use once this has returned. */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void
  /** Called once every byte is written; gives what is to be sent, as often as it takes. */
  close(): Promise<SealedBody>
  /** Leaves the place to another chunk. */
  free(): void
}

/** Gives each chunk a place of just its length. */
export type OpenSealedPlace = (sealedBytes: number) => Promise<SealedPlace>

/** Places in memory, each used again for later chunks. */
export function placesInMemory(): OpenSealedPlace {
  const spare: Uint8Array<ArrayBuffer>[] = []

  function take(sealedBytes: number): Uint8Array<ArrayBuffer> {
    const fitting = spare.findIndex((target) => target.length >= sealedBytes)
    return (fitting < 0 ? undefined : spare.splice(fitting, 1)[0]) ?? new Uint8Array(sealedBytes)
  }

  return async (sealedBytes) => {
    const target = take(sealedBytes)
    return {
      write: (bytes, position) => target.set(bytes, position),
      close: async () => target.subarray(0, sealedBytes),
      free: () => void spare.push(target),
    }
  }
}
