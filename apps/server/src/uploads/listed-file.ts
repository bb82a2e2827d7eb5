import type { ListedFile } from '@sallyport/contract/files'

export interface FileFacts {
  readonly id: string
  readonly sealedName: string
  readonly wrappedKey: string
  readonly plainBytes: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly downloads: number
  readonly isShared: boolean
  readonly isLost?: boolean
}

/** A file as its owner's list shows it. */
export const asListedFile = (file: FileFacts): ListedFile => ({
  id: file.id,
  originalName: file.sealedName,
  size: file.plainBytes,
  createdAt: file.createdAt,
  expiresAt: file.expiresAt,
  encryptedFileKey: file.wrappedKey,
  downloads: file.downloads,
  shared: file.isShared,
  ...(file.isLost && { lost: true as const }),
})
