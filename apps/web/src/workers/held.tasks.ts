import type { FileKeys } from '@sallyport/crypto'

/** Whole files of a few megabytes, sealed and opened in memory. */
export type HeldTasks = {
  seal: {
    ask: { readonly keys: FileKeys; readonly file: File }
    progress: never
    result: Uint8Array<ArrayBuffer>
  }
  open: {
    ask: { readonly keys: FileKeys; readonly sealed: Uint8Array<ArrayBuffer> }
    progress: never
    result: Blob
  }
}
