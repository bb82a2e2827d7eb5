import { uploadLimits } from '@sallyport/contract/limits'
import { longestNameBytes } from '@sallyport/crypto'

/** A file somebody has given to the page, with its folders where it came in some. */
export type TakenFile = File & { readonly path?: string }

/** What became of the files of folders, beyond those that were handed on. */
export interface LeftOut {
  readonly unreadable: readonly string[]
  /** With their folders they do not fit into a sealed name. */
  readonly tooLong: readonly string[]
  readonly emptyFolders: readonly string[]
  /** There were more files than an account holds; the rest was not looked at. */
  readonly isCut: boolean
}

/** More at once than an account can hold are not taken. */
export const mostFiles = uploadLimits.filesPerAccount

/** What file managers leave behind in folders and nobody means to send. */
const leftBehind = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

export const isLeftBehind = (name: string): boolean => leftBehind.has(name.toLowerCase())

export const fitsIntoName = (path: string): boolean =>
  new TextEncoder().encode(path.normalize('NFC')).length <= longestNameBytes

/** Notes where a file lay. A `File` keeps its name, and a copy under another one would no longer be the file on the disk. */
export const withPath = (file: File, path: string): TakenFile => (path === '' ? file : Object.assign(file, { path }))
