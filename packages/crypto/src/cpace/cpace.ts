import { type Bytes, concatBytes, equalBytes, unshared, utf8 } from '../bytes.ts'
import { CryptoError, malformed } from '../errors.ts'
import { deriveBytes, importHkdfSecret } from '../hkdf.ts'
import { mac } from '../mac.ts'
import { elementFromUniform, multiply, multiplyPeerElement, sampleScalar } from './group.ts'
import { generatorString, lengthPrefixed } from './strings.ts'

/** Who sends first. The roles are not interchangeable, so that no message can be reflected to its sender. */
export type CpaceRole = 'initiator' | 'responder'

/** The public message of one side. */
export interface CpaceMessage {
  readonly element: Bytes
  /** Public, but the sides derive different keys unless both have seen the same. */
  readonly aad: Bytes
}

interface StartCpaceInput {
  readonly role: CpaceRole
  /** The short code that both people know. */
  readonly password: Uint8Array
  /** What both sides know about each other and the channel. */
  readonly context: Uint8Array
  /** At least 16 bytes that are unique to this exchange. */
  readonly exchangeId: Uint8Array
  readonly aad: Uint8Array
  /** Set only by published vectors. */
  readonly scalar?: Uint8Array
}

/** The result of an exchange; equal on both sides only if both knew the password. */
export interface CpaceKeys {
  /** Derives bytes for one label; both sides derive the same. */
  derive(label: string, length?: number): Promise<Bytes>
  /** The key confirmation tag of this side. */
  tag(): Promise<Bytes>
  /**
   * Verifies the tag of the other side. Throws `wrong-key` if it knew another password, or if there was a man in the
   * middle.
   */
  requireTag(tag: Uint8Array): Promise<void>
}

const domain = utf8('CPaceRistretto255')
const keyDomain = utf8('CPaceRistretto255_ISK')
const exchangeIdBytes = 16

/**
 * Starts one exchange of CPace (draft-irtf-cfrg-cpace-21, ristretto255 with SHA-512). Two sides that know the same
 * short code agree on keys; an attacker has one guess per exchange and cannot guess offline.
 */
export async function startCpace(input: StartCpaceInput) {
  const { role, password, context, exchangeId, scalar = sampleScalar() } = input
  if (exchangeId.length < exchangeIdBytes) throw malformed('An exchange id has at least 16 bytes')
  if (password.length === 0) throw malformed('The password is missing')
  const uniform = await sha512(generatorString({ domain, password, context, exchangeId }))
  const ownMessage: CpaceMessage = { element: multiply(scalar, elementFromUniform(uniform)), aad: unshared(input.aad) }

  return {
    message: ownMessage,
    /**
     * Processes the message of the other side. Throws `malformed` for an invalid message; the exchange is then over.
     */
    async finish(other: CpaceMessage): Promise<CpaceKeys> {
      const shared = multiplyPeerElement(scalar, other.element)
      if (!shared) throw malformed('The other side sent an invalid element')
      const transcript = role === 'initiator' ? transcriptOf(ownMessage, other) : transcriptOf(other, ownMessage)
      const key = await deriveIsk({ exchangeId, shared, transcript })
      return createCpaceKeys({ key, exchangeId, transcript, role })
    },
  }
}

export type Cpace = Awaited<ReturnType<typeof startCpace>>

export const transcriptOf = (initiator: CpaceMessage, responder: CpaceMessage): Bytes =>
  lengthPrefixed(initiator.element, initiator.aad, responder.element, responder.aad)

interface IskInput {
  readonly exchangeId: Uint8Array
  readonly shared: Uint8Array
  readonly transcript: Uint8Array
}

/** The 64 bytes that the draft calls ISK. */
export const deriveIsk = ({ exchangeId, shared, transcript }: IskInput): Promise<Bytes> =>
  sha512(concatBytes(lengthPrefixed(keyDomain, exchangeId, shared), transcript))

interface CpaceKeysInput extends Omit<IskInput, 'shared'> {
  readonly key: Bytes
  readonly role: CpaceRole
}

async function createCpaceKeys({ key, exchangeId, transcript, role }: CpaceKeysInput): Promise<CpaceKeys> {
  const from = await importHkdfSecret(key)
  const derive = (label: string, length?: number) => deriveBytes({ from, salt: exchangeId, info: utf8(label) }, length)
  const tagOf = async (side: CpaceRole) => mac(await derive(confirmationLabels[side]), transcript)
  const otherRole = role === 'initiator' ? 'responder' : 'initiator'

  return {
    derive,
    tag: () => tagOf(role),
    async requireTag(tag) {
      if (!equalBytes(await tagOf(otherRole), tag)) throw new CryptoError('wrong-key', 'The confirmation tag is wrong')
    },
  }
}

const confirmationLabels: Readonly<Record<CpaceRole, string>> = { initiator: 'confirm-A', responder: 'confirm-B' }

const sha512 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest('SHA-512', bytes))
