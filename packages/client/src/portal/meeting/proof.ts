import { portalLimits } from '@sallyport/contract/limits'
import type { PortalMode } from '@sallyport/contract/portals'
import { type CpaceKeys, lengthPrefixed, readLengthPrefixed, startCpace } from '@sallyport/crypto/cpace'
import {
  type Bytes,
  fromBase64url,
  importPortalKey,
  importRoot,
  mac,
  openPortalRecord,
  sealPortalRecord,
  toBase64url,
  utf8,
} from '@sallyport/crypto/portal'
import type { KeyWrap } from '../fast/exchange-parts.ts'
import { emojiOf } from './emoji.ts'

export type PortalRole = 'creator' | 'joiner'

/** What both devices have to know of each other and of their room. */
export interface Meeting {
  readonly role: PortalRole
  readonly mode: PortalMode
  /** All digits of a typed code; plays no part in mode `link`. */
  readonly pin: string
  /** The bytes of a link or a QR code; empty where the code was typed. */
  readonly secret: Bytes
  /** Chosen by the creator for this room alone. */
  readonly n: string
  readonly origin: string
  /** The part of the code that the server knows. */
  readonly prefix: string
  readonly deviceName: string
}

const version = 'portal2'

/** Begins the proof that this device knows the code. Whoever does not has one guess. */
export function startProof({ role, mode, pin, secret, n, origin, prefix, deviceName }: Meeting) {
  const texts = (...parts: readonly string[]) => lengthPrefixed(...parts.map(utf8))
  return startCpace({
    role: role === 'joiner' ? 'initiator' : 'responder',
    password: lengthPrefixed(utf8(version), utf8(mode), utf8(mode === 'pin' ? pin : ''), secret),
    context: texts(version, origin, prefix, 'joiner', 'creator'),
    exchangeId: fromBase64url(n),
    associated: texts(version, role, mode, deviceName),
  })
}

/** What the other device is called, of what it has sent along with its proof; empty where that cannot be read. */
export function nameIn(associated: Bytes): string {
  const name = readLengthPrefixed(associated)?.[3]
  return new TextDecoder().decode(name).slice(0, portalLimits.deviceNameCharacters)
}

/** What two devices that have proved the code to each other share. */
export interface PairKeys {
  readonly signals: SignalSealing
  /** A new one for each line through the relay, named by bytes of both devices: what went over one fits no other. */
  readonly relay: (line: string) => Sealing
  readonly fileKeys: KeyWrap
  /** Shows that this role saw these two certificates at the ends of a line. */
  readonly bind: (role: PortalRole, certificates: Ends) => Promise<Bytes>
  /** Four pictures that are the same on both screens when nobody stands in between. */
  readonly pictures: readonly string[]
  /** Proves to the same device later that this one was here; gives no bytes out. */
  readonly again: CryptoKey
}

/** The certificates at the two ends of a line; empty where it has none. */
export interface Ends {
  readonly creator: string
  readonly joiner: string
}

/** A sealed signal and its number. */
export interface SealedSignal {
  readonly s: number
  readonly c: string
}

/** Seals signals, of which some may get lost with a line, but none can be changed, repeated or moved. */
export interface SignalSealing {
  seal(plain: Bytes, about: string): Promise<SealedSignal>
  /** `old` for what was heard before; null for what the other device has not said. */
  open(signal: SealedSignal, about: string): Promise<Bytes | 'old' | null>
}

/** Seals what this side says and opens what the other one said, each in its order. */
export interface Sealing {
  seal(plain: Bytes, about: string): Promise<Bytes>
  /** Null for what the other device has not said, or not at this point. */
  open(sealed: Bytes, about: string): Promise<Bytes | null>
}

export async function pairKeysOf(keys: CpaceKeys, role: PortalRole): Promise<PairKeys> {
  const [own, other] = role === 'joiner' ? ['A', 'B'] : ['B', 'A']
  const keyFor = async (label: string) => importPortalKey(await keys.derive(label, 32))
  const pairFor = async (label: string) => [await keyFor(`${label}-${own}`), await keyFor(`${label}-${other}`)] as const
  const relayKeys = await pairFor('relay')
  const bindKey = await keys.derive('bind', 32)
  return {
    signals: createSignalSealing(await pairFor('sig')),
    relay: (line) => createSealing(relayKeys, `line ${line}`),
    fileKeys: wrapUnder(await keyFor('xfer')),
    bind: (by, { creator, joiner }) => mac(bindKey, lengthPrefixed(...[by, creator, joiner].map(utf8))),
    pictures: emojiOf(await keys.derive('sas', 3)),
    again: await importRoot(await keys.derive('again')),
  }
}

/** Wraps file keys so that only the other device of this portal unwraps them. */
export const wrapUnder = (key: CryptoKey): KeyWrap => ({
  wrap: async (fileKey) => toBase64url(await sealPortalRecord(key, fileKey)),
  async unwrap(wrapped) {
    const fileKey = await openPortalRecord(key, fromBase64url(wrapped))
    if (!fileKey) throw new Error('A file key does not belong to this portal')
    return fileKey
  },
})

function createSignalSealing([ownKey, otherKey]: readonly [CryptoKey, CryptoKey]): SignalSealing {
  let said = 0
  let newest = -1
  const bound = (number: number, about: string) => utf8(`signal:${number}:${about}`)
  return {
    async seal(plain, about) {
      const s = said++
      return { s, c: toBase64url(await sealPortalRecord(ownKey, plain, bound(s, about))) }
    },
    async open({ s, c }, about) {
      const sealed = readBase64url(c)
      const plain = sealed && (await openPortalRecord(otherKey, sealed, bound(s, about)))
      if (!plain) return null
      if (s <= newest) return 'old'
      newest = s
      return plain
    },
  }
}

function readBase64url(text: string): Bytes | null {
  try {
    return fromBase64url(text)
  } catch {
    return null
  }
}

/** Every message is bound to its place in the row, so that none can be dropped, repeated or moved unseen. */
function createSealing([ownKey, otherKey]: readonly [CryptoKey, CryptoKey], row: string): Sealing {
  let said = 0
  let heard = 0
  const bound = (place: number, about: string) => utf8(`${row}:${place}:${about}`)
  return {
    seal: (plain, about) => sealPortalRecord(ownKey, plain, bound(said++, about)),
    open: (sealed, about) => openPortalRecord(otherKey, sealed, bound(heard++, about)),
  }
}
