import { gcm } from '@noble/ciphers/aes.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

// A second implementation of ef1, written from the tables in docs/formats.md and independent of the first: other
// primitives, other structure, synchronous, every IV a parameter. It serves only as a reference for tests.

export type Octets = Uint8Array

export interface Meta {
  kind: number
  uid: Octets
  recordBytes: number
  total: number
  size: number
  /** For headers that are invalid on purpose. */
  version?: number
  suite?: number
  reserved?: number
}

const none = new Uint8Array(0)

export const derive = (ikm: Octets, salt: Octets, info: Octets | string, length = 32): Octets =>
  hkdf(sha256, ikm, salt, typeof info === 'string' ? utf8ToBytes(info) : info, length)

export const lock = (key: Octets, iv: Octets, plain: Octets, aad: Octets): Octets =>
  concatBytes(iv, gcm(key, iv, aad).encrypt(plain))

/** Throws when the tag is wrong. */
export const unlock = (key: Octets, box: Octets, aad: Octets): Octets =>
  gcm(key, box.slice(0, 12), aad).decrypt(box.slice(12))

export const b64u = (bytes: Octets): string => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })

export const unb64u = (text: string): Octets =>
  Uint8Array.fromBase64(text, { alphabet: 'base64url', lastChunkHandling: 'loose' })

const bigEndian = (value: number | bigint, length: number): Octets =>
  Uint8Array.fromHex(value.toString(16).padStart(length * 2, '0'))

export const headerOf = (meta: Meta): Octets =>
  concatBytes(
    utf8ToBytes('EF1H'),
    Uint8Array.of(meta.version ?? 1, meta.suite ?? 1, meta.kind, meta.reserved ?? 0),
    meta.uid,
    bigEndian(meta.recordBytes, 4),
    bigEndian(meta.total, 4),
    bigEndian(meta.size, 8),
  )

export const metaFor = (kind: number, uid: Octets, size: number, recordBytes: number): Meta => ({
  kind,
  uid,
  recordBytes,
  size,
  total: size === 0 ? 1 : Math.floor((size + recordBytes - 1) / recordBytes),
})

export interface FileSecrets {
  p: Octets
  content: Octets
  meta: Octets
  commit: Octets
}

export function fileSecrets(fileKey: Octets, meta: Meta): FileSecrets {
  const p = headerOf(meta)
  const purpose = (name: string) =>
    derive(fileKey, meta.uid, concatBytes(utf8ToBytes(`ef1/${name}`), Uint8Array.of(0), p))
  return { p, content: purpose('content'), meta: purpose('meta'), commit: purpose('commit') }
}

const recordAad = (uid: Octets, index: number, last: boolean): Octets =>
  concatBytes(utf8ToBytes('EF1C'), uid, bigEndian(index, 8), Uint8Array.of(last ? 1 : 0, 0, 0, 0))

interface RecordContext {
  secrets: FileSecrets
  meta: Meta
  index: number
  /** Overrides the value that follows from the index, for records that are invalid on purpose. */
  last?: boolean
}

export const lockRecord = ({ secrets, meta, index, last }: RecordContext, iv: Octets, plain: Octets): Octets =>
  lock(secrets.content, iv, plain, recordAad(meta.uid, index, last ?? index + 1 === meta.total))

export const unlockRecord = ({ secrets, meta, index, last }: RecordContext, box: Octets): Octets =>
  unlock(secrets.content, box, recordAad(meta.uid, index, last ?? index + 1 === meta.total))

export function lockRecords(
  fileKey: Octets,
  meta: Meta,
  source: { plain: Octets; ivOf(index: number): Octets },
): Octets[] {
  const secrets = fileSecrets(fileKey, meta)
  return Array.from({ length: meta.total }, (_, index) => {
    const piece = source.plain.subarray(index * meta.recordBytes, (index + 1) * meta.recordBytes)
    return lockRecord({ secrets, meta, index }, source.ivOf(index), piece)
  })
}

export function unlockFile(fileKey: Octets, meta: Meta, sealed: Octets): Octets {
  const secrets = fileSecrets(fileKey, meta)
  const stride = meta.recordBytes + 28
  if (sealed.length !== meta.size + 28 * meta.total) throw new Error('size')
  const pieces = Array.from({ length: meta.total }, (_, index) =>
    unlockRecord({ secrets, meta, index }, sealed.slice(index * stride, (index + 1) * stride)),
  )
  return concatBytes(...pieces)
}

export const wrapNames = ['', 'account', 'share', 'session', 'portal'] as const

export const keyId = (root: Octets, type: number): Octets =>
  derive(root, none, concatBytes(utf8ToBytes('ef1/key-id\0'), Uint8Array.of(type)), 16)

export interface WrapInput {
  fileKey: Octets
  meta: Meta
  root: Octets
  type: number
  iv: Octets
  /** For an envelope with a wrong commitment. */
  commit?: Octets
}

export function wrapBytes({ fileKey, meta, root, type, iv, commit }: WrapInput): Octets {
  const secrets = fileSecrets(fileKey, meta)
  const publicPart = concatBytes(Uint8Array.of(type), secrets.p, keyId(root, type), commit ?? secrets.commit)
  const wrappingKey = derive(root, meta.uid, `ef1/wrap/${wrapNames[type]}`)
  return concatBytes(
    Uint8Array.of(0xe1),
    publicPart,
    lock(wrappingKey, iv, fileKey, concatBytes(utf8ToBytes('EF1W'), publicPart)),
  )
}

export function unwrapBytes(envelope: Octets, root: Octets): Octets {
  const type = envelope[1] ?? 0
  const wrappingKey = derive(root, envelope.slice(10, 26), `ef1/wrap/${wrapNames[type]}`)
  return unlock(wrappingKey, envelope.slice(90), concatBytes(utf8ToBytes('EF1W'), envelope.slice(1, 90)))
}

export function padded(content: Octets): Octets {
  const marked = concatBytes(content, Uint8Array.of(0x80))
  return concatBytes(marked, new Uint8Array((64 - (marked.length % 64)) % 64))
}

export const unpadded = (content: Octets): Octets => content.slice(0, content.lastIndexOf(0x80))

export interface NameParts {
  name: string
  mime: string
  time: number
}

export function namePlain({ name, mime, time }: NameParts): Octets {
  const nameOctets = utf8ToBytes(name.normalize('NFC'))
  const mimeOctets = utf8ToBytes(mime)
  return concatBytes(
    Uint8Array.of(1),
    bigEndian(nameOctets.length, 2),
    nameOctets,
    bigEndian(mimeOctets.length, 1),
    mimeOctets,
    bigEndian(time, 8),
  )
}

const nameAad = ({ p, commit }: FileSecrets): Octets => concatBytes(utf8ToBytes('EF1N'), p, commit)

/** Seals any content, padded or not. */
export const lockName = (secrets: FileSecrets, iv: Octets, content: Octets): string =>
  `ef1.${b64u(lock(secrets.meta, iv, content, nameAad(secrets)))}`

export function unlockName(secrets: FileSecrets, text: string): NameParts {
  const plain = unpadded(unlock(secrets.meta, unb64u(text.slice(4)), nameAad(secrets)))
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const nameLength = (plain[1] ?? 0) * 256 + (plain[2] ?? 0)
  const mimeOffset = 3 + nameLength
  const mimeLength = plain[mimeOffset] ?? 0
  return {
    name: decoder.decode(plain.slice(3, mimeOffset)),
    mime: decoder.decode(plain.slice(mimeOffset + 1, mimeOffset + 1 + mimeLength)),
    time: Number(`0x${plain.slice(mimeOffset + 1 + mimeLength).toHex()}`),
  }
}

export function fragment(shareKey: Octets, version = 1): string {
  const body = concatBytes(Uint8Array.of(version), shareKey)
  return b64u(concatBytes(body, sha256(concatBytes(utf8ToBytes('ef1/link\0'), body)).slice(0, 3)))
}

export const proof = (shareKey: Octets): Octets => derive(shareKey, none, 'ef1/share-proof')

export const shareKeyOf = (accountKey: Octets, uid: Octets): Octets => derive(accountKey, uid, 'ef1/share-key')

export interface MessageInput {
  root: Octets
  kind: number
  uid: Octets
  context: Octets
  contentKey: Octets
  keyIv: Octets
  contentIv: Octets
  /** Before padding. */
  payload: Octets
  version?: number
}

/** The labels of each version and kind: of the wrapped key, and of the content. */
const messageLabels = new Map([
  ['1/17', ['ef1/wrap/message', 'ef1/message']],
  ['1/18', ['ef1/wrap/message', 'ef1/message']],
  ['2/18', ['ef1/wrap/session-message', 'ef1/session-message']],
  ['2/19', ['ef1/wrap/session-name', 'ef1/session-name']],
])

function labelsOfMessage(version: number, kind: number): readonly [string, string] {
  const [wrap = '', content = ''] = messageLabels.get(`${version}/${kind}`) ?? messageLabels.get('1/17') ?? []
  return [wrap, content]
}

export const messagePayload = (text: string, sentAt: number): Octets =>
  concatBytes(Uint8Array.of(1), bigEndian(sentAt, 8), utf8ToBytes(text))

export const contextOf = (id: string): Octets => sha256(utf8ToBytes(id)).slice(0, 16)

interface SessionPayload {
  senderId: Octets
  name: string
  sentAt: number
  text: string
}

export const sessionPayload = ({ senderId, name, sentAt, text }: SessionPayload): Octets => {
  const nameOctets = utf8ToBytes(name.normalize('NFC'))
  const lengths = [Uint8Array.of(2), bigEndian(sentAt, 8), senderId, bigEndian(nameOctets.length, 2)]
  return concatBytes(...lengths, nameOctets, utf8ToBytes(text))
}

export function lockMessage(input: MessageInput): { key: Octets; content: Octets } {
  const version = input.version ?? 1
  const [wrapLabel, contentLabel] = labelsOfMessage(version, input.kind)
  const head = concatBytes(utf8ToBytes('EF1M'), Uint8Array.of(version, input.kind, 0, 0), input.uid, input.context)
  const keyAad = concatBytes(head, keyId(input.root, input.kind))
  const wrappingKey = derive(input.root, input.uid, wrapLabel)
  const contentKey = derive(input.contentKey, input.uid, contentLabel)
  return {
    key: concatBytes(keyAad, lock(wrappingKey, input.keyIv, input.contentKey, keyAad)),
    content: lock(contentKey, input.contentIv, padded(input.payload), head),
  }
}

function unlockPayload(root: Octets, key: Octets, content: Octets): Octets {
  const uid = key.slice(8, 24)
  const [wrapLabel, contentLabel] = labelsOfMessage(key[4] ?? 0, key[5] ?? 0)
  const contentKey = unlock(derive(root, uid, wrapLabel), key.slice(56), key.slice(0, 56))
  return unpadded(unlock(derive(contentKey, uid, contentLabel), content, key.slice(0, 40)))
}

const textAt = (payload: Octets, from: number, to?: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload.slice(from, to))
const timeOf = (payload: Octets): number => Number(`0x${payload.slice(1, 9).toHex()}`)

export function unlockMessage(root: Octets, key: Octets, content: Octets): { text: string; sentAt: number } {
  const payload = unlockPayload(root, key, content)
  return { text: textAt(payload, 9), sentAt: timeOf(payload) }
}

export function unlockSessionMessage(root: Octets, key: Octets, content: Octets) {
  const payload = unlockPayload(root, key, content)
  const nameEnd = 27 + Number(`0x${payload.slice(25, 27).toHex()}`)
  const [senderName, text] = [textAt(payload, 27, nameEnd), textAt(payload, nameEnd)]
  return { senderId: b64u(payload.slice(9, 25)), senderName, sentAt: timeOf(payload), text }
}
