import type { WrapType } from '../envelope.ts'
import type { CryptoErrorCode } from '../errors.ts'
import type { MessageKind } from '../message-parts.ts'
import type { SessionKeyMode } from '../session-key.ts'

// Every sequence of bytes is hexadecimal, unless the format itself is a text.

interface File {
  readonly fileKey: string
  readonly header: string
}

interface Message {
  readonly root: string
  readonly kind: MessageKind
  readonly contextId: string
}

interface SessionPlace {
  readonly root: string
  readonly sessionId: string
}

interface Sender {
  readonly senderId: string
  readonly senderName: string
  readonly sentAt: number
}

interface MessageDraws {
  readonly messageUid: string
  readonly contentKey: string
  readonly keyIv: string
  readonly contentIv: string
}

interface Name {
  readonly name: string
  readonly mimeType: string
  readonly lastModified: number
}

interface AccountKeyPlace {
  readonly masterKey: string
  readonly wrapSecret: string
  readonly userId: string
  readonly keyVersion: number
}

/** What each operation takes and gives. */
export interface Operations {
  'decode-header': {
    input: { header: string; smallestRecordBytes?: number }
    output: { kind: string; fileUid: string; recordBytes: number; recordCount: number; plainBytes: number }
  }
  'seal-file': { input: File & { plain: string; ivs: readonly string[] }; output: { sealed: string } }
  'open-file': { input: File & { sealed: string; firstRecord?: number }; output: { plain: string } }
  'large-file': {
    input: { fileKey: string; fileUid: string; recordBytes: number; plainBytes: number }
    output: { plainSha256: string; sealedSha256: string }
  }
  'seal-name': { input: File & Name & { iv: string }; output: { sealedName: string } }
  'open-name': { input: File & { sealedName: string }; output: Name }
  'wrap-file-key': { input: File & { root: string; wrapType: WrapType; iv: string }; output: { envelope: string } }
  'open-envelope': {
    input: { envelope: string; root: string; wrapType: WrapType }
    output: { fileKey: string; commit: string }
  }
  'encode-fragment': { input: { shareKey: string }; output: { fragment: string; proof: string } }
  'decode-fragment': { input: { fragment: string }; output: { shareKey: string } }
  'derive-share-key': { input: { accountKey: string; fileUid: string }; output: { shareKey: string } }
  'seal-message': {
    input: Message & MessageDraws & { text: string; sentAt: number }
    output: { encryptedKey: string; encryptedContent: string }
  }
  'open-message': {
    input: Message & { encryptedKey: string; encryptedContent: string }
    output: { text: string; sentAt: number }
  }
  'seal-session-message': {
    input: SessionPlace & Sender & MessageDraws & { text: string }
    output: { encryptedKey: string; encryptedContent: string }
  }
  'open-session-message': {
    input: SessionPlace & { encryptedKey: string; encryptedContent: string }
    output: Sender & { text: string }
  }
  'seal-session-name': {
    input: SessionPlace & Sender & MessageDraws & { participantId: string }
    output: { sealedName: string }
  }
  'open-session-name': { input: SessionPlace & { participantId: string; sealedName: string }; output: Sender }
  'master-key': { input: { password: string; userId: string }; output: { masterKey: string } }
  'login-secrets': {
    input: { password: string; salt: string; profile: number }
    output: { credential: string; wrapSecret: string }
  }
  'wrap-account-key': { input: AccountKeyPlace & { accountKey: string; iv: string }; output: { wrappedKey: string } }
  'unwrap-account-key': { input: AccountKeyPlace & { wrappedKey: string }; output: { accountKey: string } }
  'encode-recovery-key': { input: { recoveryKey: string }; output: { text: string } }
  'decode-recovery-key': { input: { text: string }; output: { recoveryKey: string } }
  'wrap-for-recovery': {
    input: { recoveryKey: string; userId: string; keyVersion: number; accountKey: string; iv: string }
    output: { wrappedKey: string }
  }
  /** `isBound` is false for a wrapping of version 1, which is bound to no key version. */
  'unwrap-from-recovery': {
    input: { recoveryKey: string; userId: string; keyVersion: number; wrappedKey: string }
    output: { accountKey: string; isBound: boolean }
  }
  'session-key': {
    /** Version 2 where none is named. */
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
  /** `mostPlainBytes`: how much an opening stream may have given before it refused. */
  | { readonly expect: CryptoErrorCode; readonly recordIndex?: number; readonly mostPlainBytes?: number }
)

export type VectorCase = { [Name in Operation]: CaseOf<Name> }[Operation]
