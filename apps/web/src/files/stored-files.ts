import type { ListedFile } from '@sallyport/contract/files'

/** A file as its owner sees it, its name already opened. */
export interface StoredFile {
  readonly id: string
  /** The wrapped key: what is done with a row is done with the file that this key opens, whatever is listed later. */
  readonly encryptedFileKey: string
  readonly name: string
  readonly sizeBytes: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly isShared: boolean
  /** By all ways, links among them. */
  readonly downloads: number
}

/** A row says "Expired" for this long before it is gone, so that nobody wonders where it went. */
const expiredShownMs = 2000
/** More than a minute, since the slow clock may be half a minute late to notice. */
const lastMinuteMs = 90_000

/** What names a file beyond doubt: a server may list another one under the same id. */
export type ChosenFile = Pick<StoredFile, 'id' | 'encryptedFileKey'>

export const isSameFile = (one: ChosenFile, other: ChosenFile): boolean =>
  one.id === other.id && one.encryptedFileKey === other.encryptedFileKey

/** What stands in for a name that is still being opened. */
export const openingName = '…'

/** The rows of the list: opened names, without what has been over for a moment. */
export function rowsOf(
  listed: readonly ListedFile[],
  nameOf: (file: ListedFile) => string | undefined,
  now: number,
): readonly StoredFile[] {
  return listed
    .filter((file) => file.expiresAt + expiredShownMs > now)
    .map((file) => ({
      id: file.id,
      encryptedFileKey: file.encryptedFileKey,
      name: nameOf(file) ?? openingName,
      sizeBytes: file.size,
      expiresAt: file.expiresAt,
      isShared: file.shared,
      downloads: file.downloads,
    }))
}

const order = new Intl.Collator(undefined, { numeric: true })

/** As a phone lists them: by name, and equal names in the order they came in. */
export const sortByName = (rows: readonly StoredFile[]): readonly StoredFile[] =>
  rows.toSorted((one, other) => order.compare(one.name, other.name))

/** How often the words beside the rings must be looked at: each second while a row counts its last minute. */
export function clockStepMs(listed: readonly ListedFile[], now: number): number {
  const isClose = listed.some(({ expiresAt }) => expiresAt - now < lastMinuteMs)
  return isClose ? 1000 : 30_000
}
