import { type Bytes, concatBytes, equalBytes, unshared, utf8 } from '../bytes.ts'
import { CryptoError, malformed } from '../errors.ts'
import { deriveBytes, importSecret } from '../hkdf.ts'
import { mac } from '../mac.ts'
import { elementFrom, multiply, multiplyForeign, sampleScalar } from './group.ts'
import { generatorString, lengthPrefixed } from './strings.ts'

/** Who speaks first. The two parts are never interchangeable, so that no message can be played back to its sender. */
export type CpaceRole = 'initiator' | 'responder'

/** What one side says, in the open. */
export interface CpaceMessage {
  readonly element: Bytes
  /** Not secret, but both sides end up with different keys unless they have seen the same. */
  readonly associated: Bytes
}

interface CpaceStart {
  readonly role: CpaceRole
  /** The few digits that both people know. */
  readonly password: Uint8Array
  /** What both sides know of each other and of where they meet. */
  readonly context: Uint8Array
  /** At least 16 bytes that this exchange alone has. */
  readonly exchangeId: Uint8Array
  readonly associated: Uint8Array
  /** Given only by published vectors. */
  readonly scalar?: Uint8Array
}

/** What both sides hold in the end; the same on both only if both knew the password. */
export interface CpaceKeys {
  /** Bytes for one purpose; both sides get the same under the same label. */
  derive(label: string, length?: number): Promise<Bytes>
  /** Shows the other side that this one has the same keys. */
  tag(): Promise<Bytes>
  /** Refuses with `wrong-key` when the other side does not: it knew another password, or somebody stood in between. */
  requireTag(tag: Uint8Array): Promise<void>
}

const domain = utf8('CPaceRistretto255')
const keyDomain = utf8('CPaceRistretto255_ISK')
const exchangeIdBytes = 16

/**
 * Begins one exchange of CPace (draft-irtf-cfrg-cpace-21, ristretto255 with SHA-512). Two sides that know the same few
 * digits agree on keys; whoever does not know the digits has one guess in each exchange, and nothing to guess at later.
 */
export async function startCpace(start: CpaceStart) {
  const { role, password, context, exchangeId, scalar = sampleScalar() } = start
  if (exchangeId.length < exchangeIdBytes) throw malformed('The id of an exchange has at least 16 bytes')
  if (password.length === 0) throw malformed('The password is missing')
  const uniform = await sha512(generatorString({ domain, password, context, exchangeId }))
  const own: CpaceMessage = { element: multiply(scalar, elementFrom(uniform)), associated: unshared(start.associated) }

  return {
    message: own,
    /** Takes what the other side said. Refuses with `malformed` what no honest side sends; the exchange is over then. */
    async finish(other: CpaceMessage): Promise<CpaceKeys> {
      const shared = multiplyForeign(scalar, other.element)
      if (!shared) throw malformed('The other side sent no usable element')
      const transcript = role === 'initiator' ? transcriptOf(own, other) : transcriptOf(other, own)
      const key = await sessionKeyOf({ exchangeId, shared, transcript })
      return keysOf({ key, exchangeId, transcript, role })
    },
  }
}

export type Cpace = Awaited<ReturnType<typeof startCpace>>

export const transcriptOf = (initiator: CpaceMessage, responder: CpaceMessage): Bytes =>
  lengthPrefixed(initiator.element, initiator.associated, responder.element, responder.associated)

interface Agreement {
  readonly exchangeId: Uint8Array
  readonly shared: Uint8Array
  readonly transcript: Uint8Array
}

/** The 64 bytes that the draft calls ISK. */
export const sessionKeyOf = ({ exchangeId, shared, transcript }: Agreement): Promise<Bytes> =>
  sha512(concatBytes(lengthPrefixed(keyDomain, exchangeId, shared), transcript))

interface Outcome extends Omit<Agreement, 'shared'> {
  readonly key: Bytes
  readonly role: CpaceRole
}

async function keysOf({ key, exchangeId, transcript, role }: Outcome): Promise<CpaceKeys> {
  const from = await importSecret(key)
  const derive = (label: string, length?: number) => deriveBytes({ from, salt: exchangeId, info: utf8(label) }, length)
  const tagOf = async (side: CpaceRole) => mac(await derive(confirmationLabels[side]), transcript)
  const otherRole = role === 'initiator' ? 'responder' : 'initiator'

  return {
    derive,
    tag: () => tagOf(role),
    async requireTag(tag) {
      if (!equalBytes(await tagOf(otherRole), tag)) throw new CryptoError('wrong-key', 'The other side has other keys')
    },
  }
}

const confirmationLabels: Readonly<Record<CpaceRole, string>> = { initiator: 'confirm-A', responder: 'confirm-B' }

const sha512 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest('SHA-512', bytes))
