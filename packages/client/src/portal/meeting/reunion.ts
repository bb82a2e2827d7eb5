import type { PassedOn } from '@sallyport/contract/portals'
import { type CpaceKeys, lengthPrefixed, startCpace } from '@sallyport/crypto/cpace'
import { type Bytes, deriveBytes, fromBase64url, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { type PairKeys, type PortalRole, pairKeysOf } from './proof.ts'

type Again = Extract<PassedOn, { type: 'px-again' }>

interface Parts {
  /** What both hold since they proved the code to each other. */
  readonly again: CryptoKey
  readonly role: PortalRole
  readonly origin: string
  readonly say: (message: Again) => void
  /** Given the keys from here on, under a name that both devices know them by. */
  readonly onKeys: (keys: PairKeys, name: string) => void
}

const version = 'portal2-again'
const texts = (...parts: readonly string[]): Bytes => lengthPrefixed(...parts.map(utf8))

/**
 * Two devices that have met before prove it to each other without a code, and agree on keys that nobody learns who comes
 * by what they hold later on. Whatever does not fit is passed over: the other device, or this one, begins anew.
 */
export function createReunion({ again, role, origin, say, onKeys }: Parts) {
  let answered: { readonly n: string; readonly keys: CpaceKeys } | null = null
  let begun: { readonly n: string; readonly proof: Awaited<ReturnType<typeof start>> } | null = null

  async function start(n: string) {
    const password = await deriveBytes({ from: again, salt: fromBase64url(n), info: utf8(version) })
    return startCpace({
      role: role === 'joiner' ? 'initiator' : 'responder',
      password,
      context: texts(version, origin),
      exchangeId: fromBase64url(n),
      associated: texts(version, role),
    })
  }

  async function answer({ n, y = '', ad = '' }: Again): Promise<void> {
    const proof = await start(n)
    const keys = await proof.finish({ element: fromBase64url(y), associated: fromBase64url(ad) })
    answered = { n, keys }
    say({ type: 'px-again', n, ...saidBy(proof), tag: toBase64url(await keys.tag()) })
  }

  async function confirm({ n, y = '', ad = '', tag = '' }: Again): Promise<void> {
    if (begun?.n !== n) return
    const { proof } = begun
    begun = null
    const keys = await proof.finish({ element: fromBase64url(y), associated: fromBase64url(ad) })
    await keys.requireTag(fromBase64url(tag))
    onKeys(await pairKeysOf(keys, role), n)
    say({ type: 'px-again', n, tag: toBase64url(await keys.tag()) })
  }

  async function believe({ n, tag = '' }: Again): Promise<void> {
    if (answered?.n !== n) return
    const { keys } = answered
    await keys.requireTag(fromBase64url(tag))
    answered = null
    onKeys(await pairKeysOf(keys, role), n)
  }

  return {
    /** Both are there. The joiner speaks first. */
    async begin(): Promise<void> {
      if (role === 'creator') return
      const n = toBase64url(randomBytes(16))
      const proof = await start(n)
      begun = { n, proof }
      say({ type: 'px-again', n, ...saidBy(proof) })
    },
    /** Rejects for what an honest device does not say. */
    async hear(message: Again): Promise<void> {
      if (role === 'joiner') await confirm(message)
      else if (message.y === undefined) await believe(message)
      else await answer(message)
    },
  }
}

const saidBy = ({ message }: { readonly message: { readonly element: Bytes; readonly associated: Bytes } }) => ({
  y: toBase64url(message.element),
  ad: toBase64url(message.associated),
})
