import type { ListedFile } from '@sallyport/contract/files'
import type { SessionFile } from '@sallyport/contract/session-shapes'
import type { StoredFileRecord } from './stored-file.store.ts'

type ListedMetadata = Pick<
  StoredFileRecord,
  'id' | 'sealedName' | 'wrappedKey' | 'plainBytes' | 'createdAt' | 'expiresAt'
>

export interface FileMetadata extends ListedMetadata {
  readonly downloads: number
  readonly isShared: boolean
  readonly isLost?: boolean
}

/** Converts a file for its owner's list. */
export const toListedFile = (file: FileMetadata): ListedFile => ({
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

/** Converts a file for the participants of its session. */
export const toSessionFile = (file: ListedMetadata, sessionId: string): SessionFile => ({
  id: file.id,
  filename: file.sealedName,
  original_name: file.sealedName,
  size_bytes: file.plainBytes,
  expires_at: file.expiresAt,
  created_at: file.createdAt,
  session_id: sessionId,
  encrypted_file_key: file.wrappedKey,
})
