import type { PassedOn } from '@sallyport/contract/portals'
import { utf8 } from '@sallyport/crypto/portal'
import { PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import type { PeerSignal } from './direct-attempt.ts'
import type { PairKeys } from './proof.ts'

interface Parts {
  readonly say: (message: PassedOn) => void
  /** Null where nothing was proved, or not yet again. */
  readonly keys: PairKeys | null
  /** Whether the two have ever proved the code: then nothing is heard that is not sealed. */
  readonly isProved: boolean
}

/** What two devices tell each other of their line, sealed with the keys that are in use, and said in order. */
export function createPeerSignals({ say, keys: first, isProved }: Parts) {
  let keys = first
  /** Names the keys in use, so that nothing is opened with others than it was sealed with. */
  let name = ''
  let saying: Promise<void> = Promise.resolve()

  async function sealed(message: PeerSignal): Promise<PeerSignal> {
    if (!keys) return message
    const sealedFor = name
    const plain = utf8(JSON.stringify(message.data ?? null))
    const sealing = await keys.signals.seal(plain, message.type)
    return { type: message.type, data: { px: 2, ...sealing, ...(sealedFor && { k: sealedFor }) } }
  }

  return {
    keys: () => keys,

    /** Seals with other keys from now on, and opens nothing any more that was sealed with those before. */
    use(next: PairKeys, nextName: string): void {
      keys = next
      name = nextName
    },

    say(message: PeerSignal): void {
      saying = saying.then(async () => say(await sealed(message))).catch(() => undefined)
    },

    /** For what proves something by itself. */
    sayUnsealed(message: PassedOn): void {
      saying = saying.then(() => say(message))
    },

    /**
     * Null for what was heard before, or belongs to keys that are not in use. Throws a `PortalError` for what the other
     * device has not said.
     */
    async opened(message: PeerSignal): Promise<PeerSignal | null> {
      if (!keys) return isProved ? null : message
      const { s, c, k = '' } = (message.data ?? {}) as { s?: unknown; c?: unknown; k?: unknown }
      if (typeof s !== 'number' || typeof c !== 'string') throw new PortalError(portalTexts.tampered)
      if (k !== name) return null
      const plain = await keys.signals.open({ s, c }, message.type)
      if (plain === null) throw new PortalError(portalTexts.tampered)
      return plain === 'old' ? null : { type: message.type, data: JSON.parse(new TextDecoder().decode(plain)) }
    },
  }
}
