import { deriveKeyEncryptionKey, deriveMasterKey, unwrapAccountKey, wrapAccountKey } from '../account-key.ts'
import { toBase64url } from '../base64url.ts'
import { concatBytes, utf8 } from '../bytes.ts'
import { encodeShareFragment } from '../create-share.ts'
import { deriveFileKeys } from '../file-keys.ts'
import { decodeFileHeader, encodeFileHeader, type FileHeader } from '../header.ts'
import { deriveBytes, importRootKey } from '../hkdf.ts'
import { labels } from '../labels.ts'
import { deriveLoginSecrets } from '../login-secret.ts'
import { openMessageWithContext, sealMessageWithContext } from '../message.ts'
import { openName } from '../name.ts'
import { openRecord, sealRecord } from '../record.ts'
import { sealName } from '../seal-name.ts'
import { derivePinKey } from '../session-key.ts'
import { decodeShareFragment } from '../share.ts'
import { keyIdOf, openEnvelope } from '../wrap.ts'
import { wrapFileKey } from '../wrap-file-key.ts'
import { type Check, expectCryptoError, expectEqual } from './check.ts'
import { concatPieces } from './pieces.ts'
import { withRandom } from './scripted-random.ts'
import { unlockAccountKey } from './second-zk1.ts'
import published from './vectors/published.json' with { type: 'json' }

const { file, envelopes, name, message, password, session } = published
const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.fromHex(hex)
const tinyRecords = { smallestRecordBytes: 16 }
const header = decodeFileHeader(bytes(file.header), tinyRecords)
const deriveKeys = (fileHeader: FileHeader = header) => deriveFileKeys(bytes(file.fileKey), fileHeader)
const records = file.records.map(bytes)
const plainOf = (index: number) => utf8(file.plain).subarray(index * 16, (index + 1) * 16)

const fileChecks: readonly Check[] = [
  {
    name: 'published: the header',
    async run() {
      expectEqual(encodeFileHeader(header), bytes(file.header))
      expectEqual(
        { ...header },
        { kind: 'personal', fileUid: header.fileUid, recordBytes: 16, recordCount: 3, plainBytes: 44 },
      )
    },
  },
  {
    name: 'published: the keys of a file',
    async run() {
      const from = await importRootKey(bytes(file.fileKey))
      const derived = (label: string) =>
        deriveBytes({ from, salt: header.fileUid, info: concatBytes(utf8(label), bytes(file.header)) })
      expectEqual(await derived(labels.fileContent), bytes(file.contentKey))
      expectEqual(await derived(labels.fileMeta), bytes(file.metaKey))
      expectEqual((await deriveKeys()).commit, bytes(file.commit))
    },
  },
  {
    name: 'published: three records sealed and opened, and the hash of the file',
    async run() {
      const keys = await deriveKeys()
      for (const [index, record] of records.entries()) {
        const sealed = await withRandom([record.slice(0, 12)], () => sealRecord(keys, index, plainOf(index)))
        expectEqual(sealed, record)
        expectEqual(await openRecord(keys, index, record), plainOf(index))
      }
      const whole = concatPieces(records)
      expectEqual(whole.length, 128)
      expectEqual(new Uint8Array(await crypto.subtle.digest('SHA-256', whole)), bytes(file.sealedSha256))
    },
  },
  {
    name: 'published: the AAD of the records',
    async run() {
      const key = await crypto.subtle.importKey('raw', bytes(file.contentKey), 'AES-GCM', false, ['decrypt'])
      for (const [index, record] of records.entries()) {
        const additionalData = bytes(file.associated[index] ?? '')
        const parameters = { name: 'AES-GCM', iv: record.subarray(0, 12), additionalData }
        expectEqual(new Uint8Array(await crypto.subtle.decrypt(parameters, key, record.subarray(12))), plainOf(index))
      }
    },
  },
  {
    name: 'published: the record of an empty file',
    async run() {
      const keys = await deriveKeys({ ...header, recordCount: 1, plainBytes: 0 })
      const record = bytes(file.emptyFileRecord)
      const sealed = await withRandom([record.slice(0, 12)], () => sealRecord(keys, 0, new Uint8Array(0)))
      expectEqual(sealed, record)
      expectEqual(await openRecord(keys, 0, record), new Uint8Array(0))
    },
  },
  {
    name: 'published: moved records and records under another count are rejected',
    async run() {
      const keys = await deriveKeys()
      const [, second = new Uint8Array(0), last = new Uint8Array(0)] = records
      await expectCryptoError(() => openRecord(keys, 0, second), 'damaged')
      const lastRecordKeys = await deriveKeys({ ...header, recordCount: 2, plainBytes: 32 })
      await expectCryptoError(() => openRecord(lastRecordKeys, 1, second), 'damaged')
      const middleRecordKeys = { ...keys, header: { ...header, recordCount: 4, recordBytes: 12, plainBytes: 48 } }
      await expectCryptoError(() => openRecord(middleRecordKeys, 2, last), 'damaged')
      const middleAsLast = { ...keys, header: { ...header, recordCount: 2, plainBytes: 32 } }
      await expectCryptoError(() => openRecord(middleAsLast, 1, second), 'damaged')
    },
  },
]

const envelopeChecks: readonly Check[] = (['account', 'share'] as const).map((wrapType) => ({
  name: `published: the ${wrapType} envelope`,
  async run() {
    const vector = envelopes[wrapType]
    const root = bytes(vector.root)
    const typeByte = { account: 1, share: 2 }[wrapType]
    const keys = await deriveKeys()
    const parts = [[0xe1, typeByte], bytes(file.header), bytes(vector.keyId), bytes(file.commit), bytes(vector.iv)]
    const envelope = toBase64url(concatBytes(...parts, bytes(vector.wrappedKey)))
    const label = { account: labels.wrapAccount, share: labels.wrapShare }[wrapType]
    const wrapping = { fileKey: bytes(file.fileKey), keys, root, wrapType }
    const opened = await openEnvelope({ envelope, root, wrapType, limits: tinyRecords })

    expectEqual(await keyIdOf(root, wrapType), bytes(vector.keyId))
    const derivation = { from: await importRootKey(root), salt: header.fileUid, info: utf8(label) }
    expectEqual(await deriveBytes(derivation), bytes(vector.wrappingKey))
    expectEqual(await withRandom([bytes(vector.iv)], () => wrapFileKey(wrapping)), envelope)
    expectEqual(opened.fileKey, bytes(file.fileKey))
    expectEqual(opened.keys.commit, bytes(file.commit))
  },
}))

const textChecks: readonly Check[] = [
  {
    name: 'published: the fragment of a share link',
    async run() {
      expectEqual(await encodeShareFragment(bytes(envelopes.share.root)), published.fragment)
      expectEqual(await decodeShareFragment(published.fragment), bytes(envelopes.share.root))
    },
  },
  {
    name: 'published: a sealed name',
    async run() {
      const keys = await deriveKeys()
      const { iv, sealedName, ...fileName } = name
      expectEqual(await withRandom([bytes(iv)], () => sealName(fileName, keys)), sealedName)
      expectEqual(await openName(sealedName, keys), fileName)
    },
  },
  {
    name: 'published: a message',
    async run() {
      const { text, sentAt, encryptedKey, encryptedContent } = message
      const context = { root: bytes(message.root), kind: 'personal', context: bytes(message.context) } as const
      const randomValues = [message.messageUid, message.contentKey, '00'.repeat(32), message.keyIv, message.contentIv]
      const sealed = await withRandom(randomValues.map(bytes), () =>
        sealMessageWithContext({ ...context, text, sentAt }),
      )
      expectEqual(sealed, { encryptedKey, encryptedContent })
      expectEqual(await openMessageWithContext({ ...context, encryptedKey, encryptedContent }), { text, sentAt })
    },
  },
]

const passwordChecks: readonly Check[] = [
  {
    name: 'published: master keys',
    async run() {
      expectEqual(await deriveMasterKey(password.password, password.userId), bytes(password.masterKey))
      expectEqual(await deriveMasterKey(password.password, password.otherUserId), bytes(password.otherMasterKey))
    },
  },
  ...password.profiles.map((vector) => ({
    name: `published: the login secret and the key encryption key of profile ${vector.profile}`,
    async run() {
      const profile = vector.profile === 1 ? 1 : 2
      const { userId } = password
      const login = await deriveLoginSecrets({ password: password.password, salt: bytes(password.salt), profile })
      const masterKey = bytes(password.masterKey)
      const keyEncryptionKey = await deriveKeyEncryptionKey({ masterKey, wrapSecret: login.wrapSecret, userId })
      const accountKey = bytes(envelopes.account.root)
      const context = { keyEncryptionKey, userId, keyVersion: 7 }
      const wrappedKey = await wrapAccountKey({ ...context, accountKey })

      expectEqual(login.credential, vector.credential)
      const fromStretched = { from: await importRootKey(bytes(vector.stretched)), salt: new Uint8Array(0) }
      expectEqual(login.wrapSecret, await deriveBytes({ ...fromStretched, info: utf8(labels.loginWrap) }))
      expectEqual(await unwrapAccountKey({ ...context, wrappedKey }), accountKey)
      const box = Uint8Array.fromBase64(wrappedKey, { alphabet: 'base64url' })
      expectEqual(unlockAccountKey({ kek: bytes(vector.keyEncryptionKey), userId, version: 7 }, box), accountKey)
    },
  })),
  {
    name: 'published: the key of a PIN',
    async run() {
      expectEqual(await derivePinKey(session.pin), bytes(session.pinKey))
    },
  },
]

/** The vectors of `vectors/published.json`, each sealed and opened. */
export const publishedChecks: readonly Check[] = [...fileChecks, ...envelopeChecks, ...textChecks, ...passwordChecks]
