export interface FileMetadata {
  readonly name: string
  /** MIME type; empty when unknown. */
  readonly type: string
  /** Size in bytes. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly lastModified: number
}

export interface FileToUpload extends FileMetadata {
  /** Path relative to the selected folder, such as `plans/north.dwg`; it is sealed instead of the name. */
  readonly path?: string | undefined
}

/** The source of an upload: a browser's `File`, or anything with its `slice` and `stream`. */
export interface FileSource extends FileToUpload {
  slice(start: number, end: number): { stream(): ReadableStream<Uint8Array> }
}

/** The name to store, with the folders in front if the file came from a folder. */
export const fullNameOf = ({ name, path }: Pick<FileToUpload, 'name' | 'path'>): string => path ?? name
