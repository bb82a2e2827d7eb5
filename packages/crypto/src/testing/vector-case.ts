import type { WrapType } from '../envelope.ts'
import type { CryptoErrorCode } from '../errors.ts'
import type { MessageKind } from '../message-parts.ts'
import type { SessionKeyMode } from '../session-key.ts'

// Byte sequences are hexadecimal, unless the format itself is a text.

interface FileInput {
  readonly fileKey: string
  readonly header: string
}

interface MessageInput {
  readonly root: string
  readonly kind: MessageKind
  readonly contextId: string
}

interface SessionInput {
  readonly root: string
  readonly sessionId: string
}

interface SenderInput {
  readonly senderId: string
  readonly senderName: string
  readonly sentAt: number
}

interface MessageRandomValues {
  readonly messageUid: string
  readonly contentKey: string
  readonly keyIv: string
  readonly contentIv: string
}

interface NameFields {
  readonly name: string
  readonly mimeType: string
  readonly lastModified: number
}

interface AccountKeyInput {
  readonly masterKey: string
  readonly wrapSecret: string
  readonly userId: string
  readonly keyVersion: number
}

/** The input and output of each operation. */
export interface Operations {
  'decode-header': {
    input: { header: string; smallestRecordBytes?: number }
    output: { kind: string; fileUid: string; recordBytes: number; recordCount: number; plainBytes: number }
  }
  'seal-file': { input: FileInput & { plain: string; ivs: readonly string[] }; output: { sealed: string } }
  'open-file': { input: FileInput & { sealed: string; firstRecord?: number }; output: { plain: string } }
  'large-file': {
    input: { fileKey: string; fileUid: string; recordBytes: number; plainBytes: number }
    output: { plainSha256: string; sealedSha256: string }
  }
  'seal-name': { input: FileInput & NameFields & { iv: string }; output: { sealedName: string } }
  'open-name': { input: FileInput & { sealedName: string }; output: NameFields }
  'wrap-file-key': { input: FileInput & { root: string; wrapType: WrapType; iv: string }; output: { envelope: string } }
  'open-envelope': {
    input: { envelope: string; root: string; wrapType: WrapType }
    output: { fileKey: string; commit: string }
  }
  'encode-fragment': { input: { shareKey: string }; output: { fragment: string; proof: string } }
  'decode-fragment': { input: { fragment: string }; output: { shareKey: string } }
  'derive-share-key': { input: { accountKey: string; fileUid: string }; output: { shareKey: string } }
  'seal-message': {
    input: MessageInput & MessageRandomValues & { text: string; sentAt: number }
    output: { encryptedKey: string; encryptedContent: string }
  }
  'open-message': {
    input: MessageInput & { encryptedKey: string; encryptedContent: string }
    output: { text: string; sentAt: number }
  }
  'seal-session-message': {
    input: SessionInput & SenderInput & MessageRandomValues & { text: string }
    output: { encryptedKey: string; encryptedContent: string }
  }
  'open-session-message': {
    input: SessionInput & { encryptedKey: string; encryptedContent: string }
    output: SenderInput & { text: string }
  }
  'seal-session-name': {
    input: SessionInput & SenderInput & MessageRandomValues & { participantId: string }
    output: { sealedName: string }
  }
  'open-session-name': { input: SessionInput & { participantId: string; sealedName: string }; output: SenderInput }
  'master-key': { input: { password: string; userId: string }; output: { masterKey: string } }
  'login-secrets': {
    input: { password: string; salt: string; profile: number }
    output: { credential: string; wrapSecret: string }
  }
  'wrap-account-key': { input: AccountKeyInput & { accountKey: string; iv: string }; output: { wrappedKey: string } }
  'unwrap-account-key': { input: AccountKeyInput & { wrappedKey: string }; output: { accountKey: string } }
  'encode-recovery-key': { input: { recoveryKey: string }; output: { text: string } }
  'decode-recovery-key': { input: { text: string }; output: { recoveryKey: string } }
  'wrap-for-recovery': {
    input: { recoveryKey: string; userId: string; keyVersion: number; accountKey: string; iv: string }
    output: { wrappedKey: string }
  }
  /** `isBound` is false for a wrapping of version 1, which is not bound to a key version. */
  'unwrap-from-recovery': {
    input: { recoveryKey: string; userId: string; keyVersion: number; wrappedKey: string }
    output: { accountKey: string; isBound: boolean }
  }
  'session-key': {
    /** Version 2 if omitted. */
    input: { mode: SessionKeyMode; pin: string; sessionId?: string; share?: string; linkSecret?: string; version?: 1 }
    output: { sessionKey: string }
  }
}

export type Operation = keyof Operations

type CaseOf<Name extends Operation> = {
  readonly name: string
  readonly operation: Name
  readonly input: Operations[Name]['input']
} & (
  | { readonly expect: 'ok'; readonly output: Operations[Name]['output'] }
  /** `mostPlainBytes`: how many bytes an opening stream may emit before it fails. */
  | { readonly expect: CryptoErrorCode; readonly recordIndex?: number; readonly mostPlainBytes?: number }
)

export type VectorCase = { [Name in Operation]: CaseOf<Name> }[Operation]
