import type { RelayedSignal } from '@sallyport/contract/portals'
import { type CpaceKeys, lengthPrefixed, startCpace } from '@sallyport/crypto/cpace'
import { type Bytes, deriveBytes, fromBase64url, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { derivePairKeys, type PairKeys, type PortalRole } from './pake.ts'

type RePairingMessage = Extract<RelayedSignal, { type: 'px-again' }>

interface RePairingDeps {
  /** The root key that both devices share since their pairing. */
  readonly again: CryptoKey
  readonly role: PortalRole
  readonly origin: string
  readonly send: (message: RePairingMessage) => void
  /** Receives the new keys and an id that both devices know them by. */
  readonly onKeys: (keys: PairKeys, keyId: string) => void
}

const version = 'portal2-again'
const encodeTexts = (...values: readonly string[]): Bytes => lengthPrefixed(...values.map(utf8))

/**
 * Re-authenticates two paired devices without a code and agrees on fresh keys with forward secrecy. Messages that do
 * not fit are ignored, because either device may start again.
 */
export function createRePairing({ again, role, origin, send, onKeys }: RePairingDeps) {
  let pendingAnswer: { readonly n: string; readonly keys: CpaceKeys } | null = null
  let started: { readonly n: string; readonly pake: Awaited<ReturnType<typeof startPake>> } | null = null

  async function startPake(n: string) {
    const password = await deriveBytes({ from: again, salt: fromBase64url(n), info: utf8(version) })
    return startCpace({
      role: role === 'joiner' ? 'initiator' : 'responder',
      password,
      context: encodeTexts(version, origin),
      exchangeId: fromBase64url(n),
      aad: encodeTexts(version, role),
    })
  }

  async function answer({ n, y = '', ad = '' }: RePairingMessage): Promise<void> {
    const pake = await startPake(n)
    const keys = await pake.finish({ element: fromBase64url(y), aad: fromBase64url(ad) })
    pendingAnswer = { n, keys }
    send({ type: 'px-again', n, ...pakeFields(pake), tag: toBase64url(await keys.tag()) })
  }

  async function confirm({ n, y = '', ad = '', tag = '' }: RePairingMessage): Promise<void> {
    if (started?.n !== n) return
    const { pake } = started
    started = null
    const keys = await pake.finish({ element: fromBase64url(y), aad: fromBase64url(ad) })
    await keys.requireTag(fromBase64url(tag))
    onKeys(await derivePairKeys(keys, role), n)
    send({ type: 'px-again', n, tag: toBase64url(await keys.tag()) })
  }

  async function acceptConfirmation({ n, tag = '' }: RePairingMessage): Promise<void> {
    if (pendingAnswer?.n !== n) return
    const { keys } = pendingAnswer
    await keys.requireTag(fromBase64url(tag))
    pendingAnswer = null
    onKeys(await derivePairKeys(keys, role), n)
  }

  return {
    /** Call when both devices are connected to the server. The joiner sends the first message. */
    async start(): Promise<void> {
      if (role === 'creator') return
      const n = toBase64url(randomBytes(16))
      const pake = await startPake(n)
      started = { n, pake }
      send({ type: 'px-again', n, ...pakeFields(pake) })
    },
    /** Rejects for a message that an honest device would not send. */
    async handleMessage(message: RePairingMessage): Promise<void> {
      if (role === 'joiner') await confirm(message)
      else if (message.y === undefined) await acceptConfirmation(message)
      else await answer(message)
    },
  }
}

const pakeFields = ({ message }: { readonly message: { readonly element: Bytes; readonly aad: Bytes } }) => ({
  y: toBase64url(message.element),
  ad: toBase64url(message.aad),
})
