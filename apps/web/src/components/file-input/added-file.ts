import { uploadLimits } from '@sallyport/contract/limits'
import { longestNameBytes } from '@sallyport/crypto'

/** A file that the user has added, with its folder path where it came from a folder. */
export type AddedFile = File & { readonly path?: string }

/** The files of added folders that were skipped. */
export interface SkippedFiles {
  readonly unreadable: readonly string[]
  /** Files whose path is too long for an encrypted name. */
  readonly tooLong: readonly string[]
  readonly emptyFolders: readonly string[]
  /** Whether files were dropped because an account cannot hold more; the remaining ones were not read. */
  readonly isTruncated: boolean
}

/** The maximum number of files at once, which is the limit of an account. */
export const maxFiles = uploadLimits.filesPerAccount

/** Metadata files of file managers that are never uploaded. */
const systemFileNames = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

export const isSystemFile = (name: string): boolean => systemFileNames.has(name.toLowerCase())

export const fitsEncryptedName = (path: string): boolean =>
  new TextEncoder().encode(path.normalize('NFC')).length <= longestNameBytes

/**
 * Attaches the path of a file. The file itself is not copied under another name, because a copy is no longer backed by
 * the disk.
 */
export const withPath = (file: File, path: string): AddedFile => (path === '' ? file : Object.assign(file, { path }))
