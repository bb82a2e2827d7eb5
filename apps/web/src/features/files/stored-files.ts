import type { ListedFile } from '@sallyport/contract/files'

/** A file of the account with its decrypted name. */
export interface StoredFile {
  readonly id: string
  /**
   * The wrapped key. Actions on a row apply to the file of this key, even if a later list has another file under the
   * same id.
   */
  readonly encryptedFileKey: string
  readonly name: string
  readonly sizeBytes: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly isShared: boolean
  /** All downloads, including those by links. */
  readonly downloads: number
}

/** An expired file is shown as "Expired" for this long before it disappears. */
const expiredShownMs = 2000
/** More than a minute, because the slow clock may be up to 30 s late. */
const fastClockMs = 90_000

/** Identifies a file unambiguously: a server may list another file under the same id. */
export type FileRef = Pick<StoredFile, 'id' | 'encryptedFileKey'>

export const isSameFile = (left: FileRef, right: FileRef): boolean =>
  left.id === right.id && left.encryptedFileKey === right.encryptedFileKey

/** The placeholder of a name that is not decrypted yet. */
export const loadingName = '…'

/** The row of each listed file. It stays the same object until the file or its name changes. */
const rowsByFile = new WeakMap<ListedFile, StoredFile>()

function rowOf(file: ListedFile, name: string): StoredFile {
  const known = rowsByFile.get(file)
  if (known?.name === name) return known
  const row = {
    id: file.id,
    encryptedFileKey: file.encryptedFileKey,
    name,
    sizeBytes: file.size,
    expiresAt: file.expiresAt,
    isShared: file.shared,
    downloads: file.downloads,
  }
  rowsByFile.set(file, row)
  return row
}

/** The rows of the list with decrypted names, without files that expired a while ago. */
export const rowsOf = (
  listed: readonly ListedFile[],
  nameOf: (file: ListedFile) => string | undefined,
  now: number,
): readonly StoredFile[] =>
  listed.filter((file) => file.expiresAt + expiredShownMs > now).map((file) => rowOf(file, nameOf(file) ?? loadingName))

const collator = new Intl.Collator(undefined, { numeric: true })

/** The order on phones: by name, and equal names in list order. */
export const sortByName = (rows: readonly StoredFile[]): readonly StoredFile[] =>
  rows.toSorted((one, other) => collator.compare(one.name, other.name))

/** The update interval of the remaining times: every second while a file is in its last minute. */
export function clockStepMs(listed: readonly ListedFile[], now: number): number {
  const isExpiringSoon = listed.some(({ expiresAt }) => expiresAt - now < fastClockMs)
  return isExpiringSoon ? 1000 : 30_000
}
