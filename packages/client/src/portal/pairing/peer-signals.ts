import { ignore } from '@sallyport/contract/ignore'
import type { RelayedSignal } from '@sallyport/contract/portals'
import { utf8 } from '@sallyport/crypto/portal'
import { PortalError } from '../errors.ts'
import { createSerialQueue } from '../serial-queue.ts'
import type { PeerSignal } from './connection.rules.ts'
import type { PairKeys } from './pake.ts'

interface PeerSignalsDeps {
  readonly send: (message: RelayedSignal) => void
  /** Null without a PAKE, and before re-pairing. */
  readonly keys: PairKeys | null
  /** Whether the devices ever proved the code; if so, plaintext signals are ignored. */
  readonly isVerified: boolean
}

/** Sends and opens the signals between two devices, sealed with the current keys and in order. */
export function createPeerSignals({ send, keys: initialKeys, isVerified }: PeerSignalsDeps) {
  let keys = initialKeys
  /** Identifies the current keys, so that signals are only opened with the keys they were sealed with. */
  let keyId = ''
  // A signal that could not be sealed counts as lost.
  const enqueue = createSerialQueue((error) => ignore(error, 'a signal was not sent'))

  async function seal(message: PeerSignal): Promise<PeerSignal> {
    if (!keys) return message
    const currentKeyId = keyId
    const plain = utf8(JSON.stringify(message.data ?? null))
    const encrypted = await keys.signals.seal(plain, message.type)
    return { type: message.type, data: { px: 2, ...encrypted, ...(currentKeyId && { k: currentKeyId }) } }
  }

  return {
    keys: () => keys,

    /** Replaces the keys. Signals sealed with earlier keys are no longer opened. */
    useKeys(next: PairKeys, nextKeyId: string): void {
      keys = next
      keyId = nextKeyId
    },

    send(message: PeerSignal): void {
      enqueue(async () => send(await seal(message)))
    },

    /** Sends a message that authenticates itself. */
    sendUnsealed(message: RelayedSignal): void {
      enqueue(() => send(message))
    },

    /**
     * Null for a repeated signal or one sealed with other keys. Throws a `PortalError` for a signal that the other
     * device did not send.
     */
    async open(message: PeerSignal): Promise<PeerSignal | null> {
      if (!keys) return isVerified ? null : message
      const { s, c, k = '' } = (message.data ?? {}) as { s?: unknown; c?: unknown; k?: unknown }
      if (typeof s !== 'number' || typeof c !== 'string') throw new PortalError('TAMPERED')
      if (k !== keyId) return null
      const plain = await keys.signals.open({ s, c }, message.type)
      if (plain === null) throw new PortalError('TAMPERED')
      return plain === 'repeated' ? null : { type: message.type, data: JSON.parse(new TextDecoder().decode(plain)) }
    },
  }
}
