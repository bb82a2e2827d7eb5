import type { ListedFile } from '@sallyport/contract/files'
import type { SessionFile } from '@sallyport/contract/session-shapes'

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

type SessionFileFacts = Pick<FileFacts, 'id' | 'sealedName' | 'wrappedKey' | 'plainBytes' | 'createdAt' | 'expiresAt'>

/** A file as the participants of its session see it. */
export const asSessionFile = (file: SessionFileFacts, sessionId: string): SessionFile => ({
  id: file.id,
  filename: file.sealedName,
  original_name: file.sealedName,
  size_bytes: file.plainBytes,
  expires_at: file.expiresAt,
  created_at: file.createdAt,
  session_id: sessionId,
  encrypted_file_key: file.wrappedKey,
})
