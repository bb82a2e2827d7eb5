/** What is uploaded: a browser's `File`, or anything that can be cut and read like one. */
export interface FileSource {
  readonly name: string
  /** Where it lay in the folder it was taken from, such as `plans/north.dwg`; sealed in place of its name. */
  readonly path?: string
  /** MIME type; empty when unknown. */
  readonly type: string
  /** Plain bytes. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly lastModified: number
  slice(start: number, end: number): { stream(): ReadableStream<Uint8Array> }
}

/** What the file is called from now on, with its folders in front where it came with some. */
export const fullNameOf = ({ name, path }: Pick<FileSource, 'name' | 'path'>): string => path ?? name

/** Not the file that an upload was begun with: its name, size, time or bytes are others. */
export class FileDiffersError extends Error {
  override readonly name = 'FileDiffersError'

  constructor() {
    super('This is not the file that the upload was begun with')
  }
}

/** The file on the disk is not the one the upload began with, or cannot be read any more. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError'

  constructor(options?: ErrorOptions) {
    super('The file changed or became unreadable while it was being uploaded', options)
  }
}
