import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import type { PortalMode } from '@sallyport/contract/portals'
import { type CpaceKeys, lengthPrefixed, parseLengthPrefixed, startCpace } from '@sallyport/crypto/cpace'
import {
  type Bytes,
  fromBase64url,
  importPortalKey,
  importRootKey,
  mac,
  openPortalRecord,
  sealPortalRecord,
  toBase64url,
  utf8,
} from '@sallyport/crypto/portal'
import type { KeyWrap } from '../transfer/exchange-context.ts'

export type PortalRole = 'creator' | 'joiner'

/** The inputs of the PAKE. */
export interface PakeInput {
  readonly role: PortalRole
  readonly mode: PortalMode
  /** All digits of a typed code; unused in mode `link`. */
  readonly pin: string
  /** The secret of a link or a QR code; empty for a typed code. */
  readonly secret: Bytes
  /** The nonce of the room, chosen by the creator. */
  readonly n: string
  readonly origin: string
  /** The code prefix, which the server knows. */
  readonly prefix: string
  readonly deviceName: string
}

const version = 'portal2'

/** Starts the PAKE (CPace) that proves knowledge of the code. An attacker gets one guess per run. */
export function startPake({ role, mode, pin, secret, n, origin, prefix, deviceName }: PakeInput) {
  const encodeTexts = (...values: readonly string[]) => lengthPrefixed(...values.map(utf8))
  return startCpace({
    role: role === 'joiner' ? 'initiator' : 'responder',
    password: lengthPrefixed(utf8(version), utf8(mode), utf8(mode === 'pin' ? pin : ''), secret),
    context: encodeTexts(version, origin, prefix, 'joiner', 'creator'),
    exchangeId: fromBase64url(n),
    aad: encodeTexts(version, role, mode, deviceName),
  })
}

/** The device name in the associated data of a PAKE message; empty if it cannot be parsed. */
export function parseDeviceName(associated: Bytes): string {
  const name = parseLengthPrefixed(associated)?.[3]
  return new TextDecoder().decode(name).slice(0, portalLimits.deviceNameCharacters)
}

/** The keys that two devices share after a successful PAKE. */
export interface PairKeys {
  readonly signals: SignalSealer
  /** Creates the sealer of one relayed link. `linkId` is random for each link, which prevents replays across links. */
  readonly createRelaySealer: (linkId: string) => MessageSealer
  readonly fileKeys: KeyWrap
  /** A MAC that proves which two certificates this role sees. */
  readonly bind: (role: PortalRole, certificates: RoleCertificates) => Promise<Bytes>
  /** Four emoji that match on both screens unless the connection is intercepted. */
  readonly sasEmoji: readonly string[]
  /** The root key of later re-pairings. It is not extractable. */
  readonly rePairingKey: CryptoKey
}

/** The certificate fingerprints of a link, by role; empty for a relayed link. */
export interface RoleCertificates {
  readonly creator: string
  readonly joiner: string
}

/** A sealed signal `c` and its sequence number `s`. */
export interface SealedSignal {
  readonly s: number
  readonly c: string
}

/** Seals signals. Some may be lost with a connection, but none can be modified, replayed or reordered. */
export interface SignalSealer {
  seal(plain: Bytes, label: string): Promise<SealedSignal>
  /** `repeated` for a signal that was opened before or is outdated; null for one that the other device did not send. */
  open(signal: SealedSignal, label: string): Promise<Bytes | 'repeated' | null>
}

/** Seals outgoing and opens incoming messages, each in sequence. */
export interface MessageSealer {
  seal(plain: Bytes, label: string): Promise<Bytes>
  /** Null for a message that the other device did not send at this position. */
  open(sealed: Bytes, label: string): Promise<Bytes | null>
}

export async function derivePairKeys(keys: CpaceKeys, role: PortalRole): Promise<PairKeys> {
  const [own, other] = role === 'joiner' ? ['A', 'B'] : ['B', 'A']
  const keyFor = async (label: string) => importPortalKey(await keys.derive(label, 32))
  const pairFor = async (label: string) => [await keyFor(`${label}-${own}`), await keyFor(`${label}-${other}`)] as const
  const relayKeys = await pairFor('relay')
  const bindKey = await keys.derive('bind', 32)
  return {
    signals: createSignalSealer(await pairFor('sig')),
    createRelaySealer: (linkId) => createMessageSealer(relayKeys, `line ${linkId}`),
    fileKeys: createKeyWrap(await keyFor('xfer')),
    bind: (by, { creator, joiner }) => mac(bindKey, lengthPrefixed(...[by, creator, joiner].map(utf8))),
    sasEmoji: toSasEmoji(await keys.derive('sas', 3)),
    rePairingKey: await importRootKey(await keys.derive('again')),
  }
}

/** Wraps file keys so that only the other device of this portal can unwrap them. */
export const createKeyWrap = (key: CryptoKey): KeyWrap => ({
  wrap: async (fileKey) => toBase64url(await sealPortalRecord(key, fileKey)),
  async unwrap(wrapped) {
    const fileKey = await openPortalRecord(key, fromBase64url(wrapped))
    if (!fileKey) throw new Error('A file key does not belong to this portal')
    return fileKey
  },
})

function createSignalSealer([ownKey, otherKey]: readonly [CryptoKey, CryptoKey]): SignalSealer {
  let sentCount = 0
  let newest = -1
  const aad = (number: number, label: string) => utf8(`signal:${number}:${label}`)
  return {
    async seal(plain, label) {
      const s = sentCount++
      return { s, c: toBase64url(await sealPortalRecord(ownKey, plain, aad(s, label))) }
    },
    async open({ s, c }, label) {
      const sealed = readBase64url(c)
      const plain = sealed && (await openPortalRecord(otherKey, sealed, aad(s, label)))
      if (!plain) return null
      if (s <= newest) return 'repeated'
      newest = s
      return plain
    },
  }
}

function readBase64url(text: string): Bytes | null {
  try {
    return fromBase64url(text)
  } catch (error) {
    ignore(error, 'a sealed signal is not base64url')
    return null
  }
}

/** The AAD of each message includes its sequence number, which detects dropped, repeated and reordered messages. */
function createMessageSealer([ownKey, otherKey]: readonly [CryptoKey, CryptoKey], context: string): MessageSealer {
  let sentCount = 0
  let receivedCount = 0
  const aad = (index: number, label: string) => utf8(`${context}:${index}:${label}`)
  return {
    seal: (plain, label) => sealPortalRecord(ownKey, plain, aad(sentCount++, label)),
    open: (sealed, label) => openPortalRecord(otherKey, sealed, aad(receivedCount++, label)),
  }
}

/** 64 easily distinguished emoji, 6 bits each. */
const emoji = [
  ...'🐶🐱🦁🐎🦄🐷🐘🐰🐼🐓🐧🐢🐟🐙🦋🌷🌳🌵🍄🌏🌙☁🔥🍌🍎🍓🌽🍕🎂❤😀🤖🎩👓🔧🎅👍☂⌛⏰🎁💡📕✏📎✂🔒🔑🔨☎🏁🚂🚲✈🚀🏆⚽🎸🎺🔔⚓🎧📁📌',
]

/** Encodes 24 bits as four emoji. */
export function toSasEmoji(bytes: Uint8Array): string[] {
  const [first = 0, second = 0, third = 0] = bytes
  const bits = (first << 16) | (second << 8) | third
  return [18, 12, 6, 0].map((shift) => emoji[(bits >> shift) & 63] ?? '')
}
