export {
  createAccountKey,
  deriveKeyEncryptionKey,
  deriveMasterKey,
  unwrapAccountKey,
  wrapAccountKey,
} from './account-key.ts'
export { fromBase64url, toBase64url } from './base64url.ts'
export type { Bytes } from './bytes.ts'
export { findRecoveryKey, recoveryKeyLetters } from './copied-recovery-key.ts'
export { decodePercent, findCopiedSecret } from './copied-secret.ts'
export { createShareKey, deriveShareKey, encodeShareFragment } from './create-share.ts'
export { createDeviceKey, openDeviceUnlock, sealDeviceUnlock, type UnlockedKeys } from './device-unlock.ts'
export { type Envelope, keyIdText, parseEnvelope, type WrapType } from './envelope.ts'
export { CryptoError, type CryptoErrorCode } from './errors.ts'
export { replaceLookAlikes, splitExtension } from './file-extension.ts'
export { createFileKey, deriveFileKeys, type FileKeys } from './file-keys.ts'
export { foldersOf, lastPartOf } from './file-path.ts'
export {
  createFileHeader,
  decodeFileHeader,
  encodeFileHeader,
  type FileHeader,
  type FileKind,
  type HeaderLimits,
  largestRecordBytes,
  smallestRecordBytes,
  standardRecordBytes,
} from './header.ts'
export { replaceHidden } from './hidden-characters.ts'
export { importRootKey, type RootKey } from './hkdf.ts'
export {
  type DerivationProfile,
  deriveLoginSecrets,
  isDerivedCredential,
  type LoginSecrets,
} from './login-secret.ts'
export { type OpenedMessage, openMessage, sealMessage } from './message.ts'
export type { SealedMessage } from './message-box.ts'
export { type MessageKeyParts, type MessageKind, parseMessageKey } from './message-parts.ts'
export { type FileName, longestNameBytes, openName } from './name.ts'
export {
  joinRecord,
  matchesRecordDigest,
  openRecord,
  recordBody,
  recordDigestOf,
  sealRecord,
  sealRecordInto,
} from './record.ts'
export {
  createRecoveryKey,
  decodeRecoveryKey,
  encodeRecoveryKey,
  unwrapFromRecovery,
  wrapForRecovery,
} from './recovery-key.ts'
export { safeFileName } from './safe-file-name.ts'
export { sealName } from './seal-name.ts'
export { isSealedName } from './sealed-name.ts'
export {
  createLinkSecret,
  derivePinKey,
  deriveSessionKey,
  deriveSessionRootKeys,
  deriveVersion1SessionKey,
  linkCheckOf,
  type SessionKeyMaterial,
  type SessionKeyMode,
  type SessionKeySources,
  type SessionRootKeys,
  sessionKeyIds,
} from './session-key.ts'
export {
  createSenderId,
  type OpenedSessionMessage,
  type OpenedSessionName,
  openSessionMessage,
  openSessionName,
  sealSessionMessage,
  sealSessionName,
} from './session-message.ts'
export { decodeShareFragment, shareFragmentCharacters, shareProof } from './share.ts'
export {
  recordCountOf,
  recordPlainBytes,
  recordStart,
  sealedBytes,
  sealedRecordBytes,
  sealedSizeOf,
  sealingOverheadBytes as recordOverheadBytes,
} from './sizes.ts'
export { type OpenStreamOptions, openStream, sealStream } from './stream.ts'
export { uniqueFileName } from './unique-file-name.ts'
export { type UsedPaths, uniqueFilePath } from './unique-file-path.ts'
export { keyIdOf, type OpenedEnvelope, openEnvelope } from './wrap.ts'
export { wrapFileKey } from './wrap-file-key.ts'
