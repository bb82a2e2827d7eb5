import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKeyEncryptionKey, unwrapAccountKey, wrapAccountKey } from './account-key.ts'
import { deriveShareKey, encodeShareFragment } from './create-share.ts'
import { type Envelope, parseEnvelope, type WrapType } from './envelope.ts'
import { deriveFileKeys } from './file-keys.ts'
import { encodeFileHeader, type FileHeader, type FileKind } from './header.ts'
import { openMessage, sealMessage } from './message.ts'
import { openName } from './name.ts'
import { decodeRecoveryKey, encodeRecoveryKey, unwrapFromRecovery, wrapForRecovery } from './recovery-key.ts'
import { sealName } from './seal-name.ts'
import { openSessionMessage, openSessionName, sealSessionMessage, sealSessionName } from './session-message.ts'
import { decodeShareFragment, shareProof } from './share.ts'
import { recordCountOf } from './sizes.ts'
import { openStream, sealStream } from './stream.ts'
import { concatPieces, drain, streamOf } from './testing/pieces.ts'
import * as second from './testing/second-ef1.ts'
import * as secondZk1 from './testing/second-zk1.ts'
import { openEnvelope } from './wrap.ts'
import { wrapFileKey } from './wrap-file-key.ts'

const runs = { numRuns: 150 }
const octets = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).filter((bytes) => bytes.some((byte) => byte !== 0))
const key = octets(32)
const kinds: readonly FileKind[] = ['personal', 'session', 'portal']
const wrapTypes: readonly WrapType[] = ['account', 'share', 'session', 'portal']

const files = fc
  .record({
    kind: fc.constantFrom(...kinds),
    fileUid: octets(16),
    recordBytes: fc.constantFrom(16, 32, 64),
    plain: fc.uint8Array({ maxLength: 200 }),
    fileKey: key,
  })
  .map(({ kind, fileUid, recordBytes, plain, fileKey }) => {
    const recordCount = recordCountOf(plain.length, recordBytes)
    const header: FileHeader = {
      kind,
      fileUid: new Uint8Array(fileUid),
      recordBytes,
      recordCount,
      plainBytes: plain.length,
    }
    const meta = second.metaFor(kinds.indexOf(kind) + 1, fileUid, plain.length, recordBytes)
    return { header, meta, plain, fileKey }
  })

test('T002 both implementations encode the same header', () => {
  fc.assert(
    fc.property(files, ({ header, meta }) => {
      expect(encodeFileHeader(header)).toEqual(new Uint8Array(second.headerOf(meta)))
    }),
    runs,
  )
})

test('T002 each implementation opens the files of the other', async () => {
  await fc.assert(
    fc.asyncProperty(files, octets(12), async ({ header, meta, plain, fileKey }, iv) => {
      const keys = await deriveFileKeys(fileKey, header)
      const ivOf = (index: number) => iv.map((byte) => byte ^ index)

      const ours = await drain(streamOf(plain, 23).pipeThrough(sealStream(keys)))
      const theirs = concatPieces(second.lockRecords(fileKey, meta, { plain, ivOf }))

      expect(second.unlockFile(fileKey, meta, ours.bytes).toHex()).toBe(plain.toHex())
      expect((await drain(streamOf(theirs, 31).pipeThrough(openStream(keys)))).bytes.toHex()).toBe(plain.toHex())
    }),
    runs,
  )
})

test('T002 each implementation opens the envelopes of the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      files,
      key,
      fc.constantFrom(...wrapTypes),
      octets(12),
      async ({ header, meta, fileKey }, root, wrapType, iv) => {
        const limits = { smallestRecordBytes: 16 }
        const type = wrapTypes.indexOf(wrapType) + 1
        const keys = await deriveFileKeys(fileKey, header)

        const ours = await wrapFileKey({ fileKey, keys, root, wrapType })
        const theirs = second.b64u(second.wrapBytes({ fileKey, meta, root, type, iv }))

        expect(second.unwrapBytes(second.unb64u(ours), root).toHex()).toBe(fileKey.toHex())
        expect((await openEnvelope({ envelope: theirs, root, wrapType, limits })).fileKey.toHex()).toBe(fileKey.toHex())
        const publicParts = ({ keyId, commit, encodedHeader }: Envelope) => [keyId, commit, encodedHeader]
        expect(publicParts(parseEnvelope(ours, limits))).toEqual(publicParts(parseEnvelope(theirs, limits)))
      },
    ),
    runs,
  )
})

test('T002 each implementation opens the names of the other', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(files, texts, octets(12), async ({ header, meta, fileKey }, name, iv) => {
      const keys = await deriveFileKeys(fileKey, header)
      const secrets = second.fileSecrets(fileKey, meta)
      const fileName = { name, mimeType: 'text/plain', lastModified: 1_767_225_600_000 }
      const content = second.namePlain({ name, mime: fileName.mimeType, time: fileName.lastModified })

      const ours = await sealName(fileName, keys)
      const theirs = second.lockName(secrets, iv, second.padded(content))

      expect(second.unlockName(secrets, ours)).toEqual({
        name: name.normalize('NFC'),
        mime: 'text/plain',
        time: fileName.lastModified,
      })
      expect(await openName(theirs, keys)).toEqual({ ...fileName, name: name.normalize('NFC') })
    }),
    runs,
  )
})

test('T002 each implementation opens the messages of the other', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 150 })
  await fc.assert(
    fc.asyncProperty(texts, key, key, octets(16), octets(12), async (text, root, contentKey, uid, iv) => {
      const [contextId, sentAt] = ['b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10', 1_767_225_600_000]
      const messageContext = { root, kind: 'session', contextId } as const
      const payload = second.messagePayload(text, sentAt)
      const context = second.contextOf(contextId)

      const ours = await sealMessage({ ...messageContext, text, sentAt })
      const theirs = second.lockMessage({
        root,
        kind: 0x12,
        uid,
        context,
        contentKey,
        keyIv: iv,
        contentIv: iv,
        payload,
      })

      const [ourKey, ourContent] = [second.unb64u(ours.encryptedKey), second.unb64u(ours.encryptedContent)]
      expect(second.unlockMessage(root, ourKey, ourContent)).toEqual({ text, sentAt })
      const sealed = { encryptedKey: second.b64u(theirs.key), encryptedContent: second.b64u(theirs.content) }
      expect(await openMessage({ ...messageContext, ...sealed })).toEqual({ text, sentAt })
    }),
    runs,
  )
})

test('T002 each implementation opens the session messages and participant names of the other', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 150 })
  const names = fc.string({ unit: 'grapheme', maxLength: 20 }).map((name) => name.normalize('NFC'))
  const randomInputs = fc.record({ root: key, contentKey: key, uid: octets(16), iv: octets(12), sender: octets(16) })
  await fc.assert(
    fc.asyncProperty(texts, names, randomInputs, async (text, senderName, { root, contentKey, uid, iv, sender }) => {
      const [sessionId, participantId] = [
        'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10',
        '2d6b1d0e-0a4b-4d5c-8f0a-1b2c3d4e5f60',
      ]
      const opened = { senderId: second.b64u(sender), senderName, sentAt: 1_767_225_600_000 }
      const common = { root, uid, contentKey, keyIv: iv, contentIv: iv, version: 2 }
      const createPayload = (content: string) =>
        second.sessionPayload({ senderId: sender, name: senderName, sentAt: opened.sentAt, text: content })

      const message = await sealSessionMessage({ root, sessionId, ...opened, text })
      const name = (await sealSessionName({ root, sessionId, participantId, ...opened })).split('.').map(second.unb64u)
      const context = second.contextOf(sessionId)
      const theirs = second.lockMessage({ ...common, kind: 0x12, context, payload: createPayload(text) })
      const nameContext = second.contextOf(`${sessionId}/${participantId}`)
      const theirName = second.lockMessage({ ...common, kind: 0x13, context: nameContext, payload: createPayload('') })

      const [ourKey, ourContent] = [second.unb64u(message.encryptedKey), second.unb64u(message.encryptedContent)]
      expect(second.unlockSessionMessage(root, ourKey, ourContent)).toEqual({ ...opened, text })
      const [nameKey = uid, nameContent = uid] = name
      expect(second.unlockSessionMessage(root, nameKey, nameContent)).toEqual({ ...opened, text: '' })
      const sealed = { encryptedKey: second.b64u(theirs.key), encryptedContent: second.b64u(theirs.content) }
      expect(await openSessionMessage({ root, sessionId, ...sealed })).toEqual({ ...opened, text })
      const sealedName = `${second.b64u(theirName.key)}.${second.b64u(theirName.content)}`
      expect(await openSessionName({ root, sessionId, participantId, sealedName })).toEqual(opened)
    }),
    runs,
  )
})

test('T002 both implementations produce the same links, proofs and share keys', async () => {
  await fc.assert(
    fc.asyncProperty(key, octets(16), async (shareKey, fileUid) => {
      expect(await encodeShareFragment(shareKey)).toBe(second.fragment(shareKey))
      expect((await decodeShareFragment(second.fragment(shareKey))).toHex()).toBe(shareKey.toHex())
      expect((await shareProof(shareKey)).toHex()).toBe(second.proof(shareKey).toHex())
      expect((await deriveShareKey(shareKey, fileUid)).toHex()).toBe(second.shareKeyOf(shareKey, fileUid).toHex())
    }),
    runs,
  )
})

test('T002 each implementation opens the account keys of the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      key,
      key,
      key,
      fc.uuid(),
      fc.nat(),
      octets(12),
      async (masterKey, wrapSecret, accountKey, userId, version, iv) => {
        const kek = secondZk1.keyEncryptionKey(masterKey, wrapSecret, userId)
        const keyEncryptionKey = await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId })
        const context = { keyEncryptionKey, userId, keyVersion: version }

        const ours = second.unb64u(await wrapAccountKey({ ...context, accountKey }))
        const theirs = second.b64u(secondZk1.lockAccountKey({ kek, userId, version }, iv, accountKey))

        expect(secondZk1.unlockAccountKey({ kek, userId, version }, ours).toHex()).toBe(accountKey.toHex())
        expect((await unwrapAccountKey({ ...context, wrappedKey: theirs })).toHex()).toBe(accountKey.toHex())
      },
    ),
    runs,
  )
})

test('T002 each implementation decodes the recovery keys of the other', async () => {
  await fc.assert(
    fc.asyncProperty(key, key, fc.uuid(), octets(12), async (recoveryKey, accountKey, userId, iv) => {
      const context = { recoveryKey, userId, keyVersion: iv[0] ?? 0 }

      const ours = await wrapForRecovery({ ...context, accountKey })
      const theirs = second.b64u(secondZk1.lockForRecovery(context, iv, accountKey))
      const version1 = second.b64u(secondZk1.lockForRecovery({ recoveryKey, userId }, iv, accountKey))

      expect(await encodeRecoveryKey(recoveryKey)).toBe(secondZk1.recoveryText(recoveryKey))
      expect((await decodeRecoveryKey(secondZk1.recoveryText(recoveryKey))).toHex()).toBe(recoveryKey.toHex())
      expect(secondZk1.unlockFromRecovery(context, second.unb64u(ours)).toHex()).toBe(accountKey.toHex())
      expect(await unwrapFromRecovery({ ...context, wrappedKey: theirs })).toEqual({ accountKey, isBound: true })
      expect(await unwrapFromRecovery({ ...context, wrappedKey: version1 })).toEqual({ accountKey, isBound: false })
    }),
    runs,
  )
})
