/** Bytes in memory, or a file in the browser's storage. */
export type SealedBody = Uint8Array<ArrayBuffer> | Blob

/** Holds one sealed chunk until the server has accepted it. */
export interface SealedBuffer {
  /** Copies the bytes; the caller may reuse them after this has returned. */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void
  /** Called once after the last write; returns the body, which may be sent more than once. */
  finish(): Promise<SealedBody>
  /** Makes the buffer available to another chunk. */
  release(): void
}

/** Creates a buffer of exactly the length of the chunk. */
export type CreateSealedBuffer = (sealedBytes: number) => Promise<SealedBuffer>

/** Creates buffers in memory and reuses them for later chunks. */
export function createMemoryBuffers(): CreateSealedBuffer {
  const spare: Uint8Array<ArrayBuffer>[] = []

  function acquire(sealedBytes: number): Uint8Array<ArrayBuffer> {
    const index = spare.findIndex((target) => target.length >= sealedBytes)
    return (index < 0 ? undefined : spare.splice(index, 1)[0]) ?? new Uint8Array(sealedBytes)
  }

  return async (sealedBytes) => {
    const target = acquire(sealedBytes)
    return {
      write: (bytes, position) => target.set(bytes, position),
      finish: async () => target.subarray(0, sealedBytes),
      release: () => void spare.push(target),
    }
  }
}
