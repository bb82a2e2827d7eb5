import {
  CryptoError,
  type DerivationProfile,
  decodeFileHeader,
  decodeRecoveryKey,
  decodeShareFragment,
  deriveFileKeys,
  deriveKeyEncryptionKey,
  deriveLoginSecrets,
  deriveMasterKey,
  deriveSessionKey,
  deriveShareKey,
  deriveVersion1SessionKey,
  encodeRecoveryKey,
  encodeShareFragment,
  type FileKeys,
  openEnvelope,
  openMessage,
  openName,
  openSessionMessage,
  openSessionName,
  openStream,
  type SessionKeySources,
  sealMessage,
  sealName,
  sealSessionMessage,
  sealSessionName,
  sealStream,
  shareProof,
  unwrapAccountKey,
  unwrapFromRecovery,
  wrapAccountKey,
  wrapFileKey,
  wrapForRecovery,
} from '../index.ts'
import { expectEqual } from './check.ts'
import { largeFileIv, largeFilePlain } from './large-file.ts'
import { drain, streamOf } from './pieces.ts'
import { withRandom } from './scripted-random.ts'
import type { Operation, Operations } from './vector-case.ts'

type Performers = {
  [Name in Operation]: (
    input: Operations[Name]['input'],
  ) => Promise<Operations[Name]['output']> | Operations[Name]['output']
}

export const tinyRecords = { smallestRecordBytes: 16 }
const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.fromHex(hex)
/** The second random value, which a new key is compared with. */
const secondRandomValue = new Uint8Array(32)

/** Runs the operation of a vector with this package. */
export const performers: Performers = {
  'decode-header': ({ header, ...limits }) => {
    const { fileUid, ...rest } = decodeFileHeader(bytes(header), limits)
    return { ...rest, fileUid: fileUid.toHex() }
  },
  'seal-file': async ({ plain, ivs, ...file }) => {
    const sealing = sealStream(await keysOf(file))
    const { bytes: sealed, error } = await withRandom(ivs.map(bytes), () =>
      drain(streamOf(bytes(plain), 7).pipeThrough(sealing)),
    )
    if (error) throw error
    return { sealed: sealed.toHex() }
  },
  'open-file': async ({ sealed, firstRecord = 0, ...file }) => {
    const keys = await keysOf(file)
    const outcomes = []
    for (const pieceBytes of [1, 7, 44, 1 << 20]) {
      outcomes.push(await drain(streamOf(bytes(sealed), pieceBytes).pipeThrough(openStream(keys, { firstRecord }))))
    }
    const [first, ...others] = outcomes
    for (const other of others) expectEqual(codeOf(other.error), codeOf(first?.error))
    if (first?.error)
      throw Object.assign(first.error, { plainBytes: Math.max(...outcomes.map((outcome) => outcome.bytes.length)) })
    for (const other of others) expectEqual(other.bytes, first?.bytes)
    return { plain: first?.bytes.toHex() ?? '' }
  },
  'large-file': async ({ fileKey, fileUid, recordBytes, plainBytes }) => {
    const recordCount = Math.max(1, Math.ceil(plainBytes / recordBytes))
    const header = { kind: 'personal', fileUid: bytes(fileUid), recordBytes, recordCount, plainBytes } as const
    const keys = await deriveFileKeys(bytes(fileKey), header)
    const plain = largeFilePlain(plainBytes)
    const ivs = Array.from({ length: recordCount }, (_, index) => largeFileIv(index))
    const sealed = await withRandom(ivs, () => drain(streamOf(plain, 1_000_003).pipeThrough(sealStream(keys))))
    const opened = await drain(streamOf(sealed.bytes, 777_777).pipeThrough(openStream(keys)))
    return { plainSha256: await sha256(opened.bytes), sealedSha256: await sha256(sealed.bytes) }
  },
  'seal-name': async ({ fileKey, header, iv, ...name }) => {
    const keys = await keysOf({ fileKey, header })
    return { sealedName: await withRandom([bytes(iv)], () => sealName(name, keys)) }
  },
  'open-name': async ({ sealedName, ...file }) => openName(sealedName, await keysOf(file)),
  'wrap-file-key': async ({ fileKey, header, root, wrapType, iv }) => {
    const keys = await keysOf({ fileKey, header })
    const wrapping = { fileKey: bytes(fileKey), keys, root: bytes(root), wrapType }
    return { envelope: await withRandom([bytes(iv)], () => wrapFileKey(wrapping)) }
  },
  'open-envelope': async ({ envelope, root, wrapType }) => {
    const { fileKey, keys } = await openEnvelope({ envelope, root: bytes(root), wrapType, limits: tinyRecords })
    return { fileKey: fileKey.toHex(), commit: keys.commit.toHex() }
  },
  'encode-fragment': async ({ shareKey }) => ({
    fragment: await encodeShareFragment(bytes(shareKey)),
    proof: (await shareProof(bytes(shareKey))).toHex(),
  }),
  'decode-fragment': async ({ fragment }) => ({ shareKey: (await decodeShareFragment(fragment)).toHex() }),
  'derive-share-key': async ({ accountKey, fileUid }) => ({
    shareKey: (await deriveShareKey(bytes(accountKey), bytes(fileUid))).toHex(),
  }),
  'seal-message': ({ root, messageUid, contentKey, keyIv, contentIv, ...message }) =>
    withRandom(randomValuesOf({ messageUid, contentKey, keyIv, contentIv }), () =>
      sealMessage({ ...message, root: bytes(root) }),
    ),
  'open-message': async ({ root, ...message }) => openMessage({ ...message, root: bytes(root) }),
  'seal-session-message': ({ root, messageUid, contentKey, keyIv, contentIv, ...message }) =>
    withRandom(randomValuesOf({ messageUid, contentKey, keyIv, contentIv }), () =>
      sealSessionMessage({ ...message, root: bytes(root) }),
    ),
  'open-session-message': async ({ root, ...message }) => openSessionMessage({ ...message, root: bytes(root) }),
  'seal-session-name': async ({ root, messageUid, contentKey, keyIv, contentIv, ...name }) => ({
    sealedName: await withRandom(randomValuesOf({ messageUid, contentKey, keyIv, contentIv }), () =>
      sealSessionName({ ...name, root: bytes(root) }),
    ),
  }),
  'open-session-name': async ({ root, ...name }) => openSessionName({ ...name, root: bytes(root) }),
  'master-key': async ({ password, userId }) => ({ masterKey: (await deriveMasterKey(password, userId)).toHex() }),
  'login-secrets': async ({ password, salt, profile }) => {
    const derivation = { password, salt: bytes(salt), profile: profile as DerivationProfile }
    const { credential, wrapSecret } = await deriveLoginSecrets(derivation)
    return { credential, wrapSecret: wrapSecret.toHex() }
  },
  'wrap-account-key': async ({ accountKey, iv, ...context }) => {
    const wrapping = { ...(await accountKeyContextOf(context)), accountKey: bytes(accountKey) }
    return { wrappedKey: await withRandom([bytes(iv)], () => wrapAccountKey(wrapping)) }
  },
  'unwrap-account-key': async ({ wrappedKey, ...context }) => ({
    accountKey: (await unwrapAccountKey({ ...(await accountKeyContextOf(context)), wrappedKey })).toHex(),
  }),
  'encode-recovery-key': async ({ recoveryKey }) => ({ text: await encodeRecoveryKey(bytes(recoveryKey)) }),
  'decode-recovery-key': async ({ text }) => ({ recoveryKey: (await decodeRecoveryKey(text)).toHex() }),
  'wrap-for-recovery': async ({ recoveryKey, accountKey, iv, ...context }) => ({
    wrappedKey: await withRandom([bytes(iv)], () =>
      wrapForRecovery({ ...context, recoveryKey: bytes(recoveryKey), accountKey: bytes(accountKey) }),
    ),
  }),
  'unwrap-from-recovery': async ({ recoveryKey, ...wrapping }) => {
    const { accountKey, isBound } = await unwrapFromRecovery({ ...wrapping, recoveryKey: bytes(recoveryKey) })
    return { accountKey: accountKey.toHex(), isBound }
  },
  'session-key': async ({ share = '', linkSecret = '', sessionId = '', version, ...rest }) => {
    const sources = { ...rest, sessionId, share: bytes(share), linkSecret: bytes(linkSecret) } as SessionKeySources
    const derive = version === 1 ? deriveVersion1SessionKey : deriveSessionKey
    return { sessionKey: (await derive(sources)).toHex() }
  },
}

const keysOf = ({ fileKey, header }: { fileKey: string; header: string }): Promise<FileKeys> =>
  deriveFileKeys(bytes(fileKey), decodeFileHeader(bytes(header), tinyRecords))

const accountKeyContextOf = async (input: {
  masterKey: string
  wrapSecret: string
  userId: string
  keyVersion: number
}) => ({
  keyEncryptionKey: await deriveKeyEncryptionKey({
    masterKey: bytes(input.masterKey),
    wrapSecret: bytes(input.wrapSecret),
    userId: input.userId,
  }),
  userId: input.userId,
  keyVersion: input.keyVersion,
})

const randomValuesOf = (values: Record<'messageUid' | 'contentKey' | 'keyIv' | 'contentIv', string>) => [
  bytes(values.messageUid),
  bytes(values.contentKey),
  secondRandomValue,
  bytes(values.keyIv),
  bytes(values.contentIv),
]

const codeOf = (error: unknown): string => (error instanceof CryptoError ? error.code : String(error))

const sha256 = async (content: Uint8Array): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', content as BufferSource)).toHex()
