import { classicPortalLimits } from '@sallyport/contract/limits'
import type { SignalTold } from '@sallyport/contract/portals'
import { CryptoError } from '@sallyport/crypto'
import { equalBytes, fromBase64url, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { unlessAborted } from '../../clock.ts'
import { PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import type { PortalOptions } from './options.ts'
import { type Meeting, nameIn, type PairKeys, pairKeysOf, startProof } from './proof.ts'
import { createInvitation, type Invitation, type JoinInput, prefixOf } from './room-code.ts'
import { type Signalling, timely } from './signalling.ts'
import type { ConfirmUnverified } from './unverified.ts'

/** Two devices that have met. */
export interface Pair {
  readonly peerName: string
  /**
   * How the code was proved; null where it was not, and the person has agreed to it. The mode is null where the server may
   * know the code that was proved, and the person has agreed to that.
   */
  readonly proof: { readonly mode: 'pin' | 'link' | null; readonly keys: PairKeys } | null
}

/** An arrival that was turned away. */
export interface SentAway {
  readonly sentAway: string
  /** Whether the code must not be used again. A link secret is never used up. */
  readonly isCodeUsedUp: boolean
}

interface Place {
  readonly signalling: Signalling
  readonly origin: string
  readonly deviceName: string
  readonly confirmUnverified: ConfirmUnverified
  readonly signal: AbortSignal
}

type Arrival = Extract<SignalTold, { type: 'peer-joined' }>

const timeoutMs = classicPortalLimits.roomTimeoutMs
const noSecret = new Uint8Array(0)

interface Opened extends Invitation {
  readonly n: string
}

/** Opens a room. Only the first digits of its code are known to the server. */
export async function openRoom(
  { signalling, deviceName, signal }: Omit<Place, 'confirmUnverified'>,
  isLinkOnly: boolean,
): Promise<Opened> {
  const n = toBase64url(randomBytes(16))
  signalling.say({ type: 'create-room', deviceName, px: { v: 2, n, ...(isLinkOnly && { linkOnly: true }) } })
  const answer = await timely(
    signalling.take(['room-created', 'room-error'], { timeoutMs, signal }),
    portalTexts.roomCreationTimeout,
  )
  if (answer.type === 'room-error') throw new PortalError(portalTexts.roomCreationFailed)
  return { n, ...createInvitation(answer.roomCode, isLinkOnly) }
}

/** Waits in an open room for the other device, and answers the next arrival. */
export async function awaitPair(place: Place, opened: Opened, options: PortalOptions): Promise<Pair | SentAway> {
  const { signalling, signal } = place
  const arrival = await signalling.take(['peer-joined', 'px-fail', 'room-error'], { signal })
  if (arrival.type === 'px-fail') return wrongCode(opened)
  if (arrival.type === 'room-error') throw new PortalError(roomErrorOf(arrival.error))
  const { px } = arrival
  if (px && 'classic' in px) return answerLegacy({ place, opened, options, arrival, tail: px.tail })
  if (!px) {
    // Every device proves itself in a verified room, or shows the last digits of the code: the server made this one up.
    signalling.say({ type: 'px-fail', stage: 'no-proof' })
    return wrongCode(opened)
  }
  if (options.linkOnly && px.mode === 'pin') {
    signalling.say({ type: 'px-fail', stage: 'link-only' })
    return sentAway(opened, portalTexts.typedRefused)
  }
  const meeting = { ...opened, ...place, role: 'creator', mode: px.mode } as const
  const proof = await startProof({ ...meeting, secret: px.mode === 'link' ? opened.secret : noSecret })
  try {
    const theirs = { element: fromBase64url(px.y), associated: fromBase64url(px.ad) }
    const keys = await proof.finish(theirs)
    const { element, associated } = proof.message
    const [y, ad, tag] = [element, associated, await keys.tag()].map(toBase64url) as [string, string, string]
    signalling.say({ type: 'px-pake', y, ad, tag })
    const answer = await signalling.take(['px-confirm', 'px-fail', 'peer-left'], { timeoutMs, signal })
    if (answer.type !== 'px-confirm') return wrongCode(opened)
    await keys.requireTag(fromBase64url(answer.tag))
    // The server may call it what it likes; this name is proved with the code.
    return { peerName: nameIn(theirs.associated), proof: { mode: px.mode, keys: await pairKeysOf(keys, 'creator') } }
  } catch (error) {
    if (signal.aborted || signalling.lost.aborted) throw error
    signalling.say({ type: 'px-fail', stage: 'confirm-a' })
    return wrongCode(opened)
  }
}

/** Sentences for people are the client's own: a server has no words of its own on the screen. */
const roomErrorOf = (error: string): string => (roomErrors.has(error) ? error : portalTexts.unknown)

const roomErrors = new Set<string>([
  portalTexts.roomCreationTimeout,
  portalTexts.roomCreationFailed,
  portalTexts.cannotJoin,
])

const sentAway = ({ isLinkOnly }: Opened, text: string): SentAway => ({ sentAway: text, isCodeUsedUp: !isLinkOnly })

const wrongCode = (opened: Opened): SentAway =>
  sentAway(opened, opened.isLinkOnly ? portalTexts.linkRefused : portalTexts.wrongCode)

interface LegacyArrival {
  readonly place: Place
  readonly opened: Opened
  readonly options: PortalOptions
  readonly arrival: Arrival
  readonly tail: string
}

/**
 * Answers a device that sent the server all digits. Their secret part is known to the server from here on, so the code is
 * used up whatever the person decides.
 */
async function answerLegacy({ place, opened, options, arrival, tail }: LegacyArrival): Promise<Pair | SentAway> {
  const { signalling, signal } = place
  const { deviceName: name, peerId } = arrival
  const isRight = equalBytes(utf8(tail), utf8(opened.pin.slice(opened.prefix.length)))
  // The relay carries only for devices that have proved the code.
  const isRefused = options.verifiedOnly || options.linkOnly || options.relayOnly
  const admit = (ok: boolean) => signalling.say({ type: 'px-admit', peerId, ok })
  if (!isRight || isRefused) {
    admit(false)
    return isRight ? sentAway(opened, portalTexts.basicRefused) : wrongCode(opened)
  }
  const over = new AbortController()
  const asking = AbortSignal.any([signal, signalling.lost, over.signal])
  const question = place.confirmUnverified({ role: 'creator', name, signal: asking })
  const departure = signalling.take(['peer-left', 'px-fail', 'room-error'], { signal: asking })
  try {
    const answer = await unlessAborted(Promise.race([question, departure]), asking)
    if (typeof answer === 'boolean') {
      admit(answer)
      return answer ? { peerName: name, proof: null } : sentAway(opened, portalTexts.declined)
    }
    signalling.say({ type: 'px-leave' })
    return sentAway(opened, portalTexts.leftUnanswered)
  } finally {
    departure.catch(() => undefined)
    over.abort()
  }
}

interface Joining extends Place {
  readonly by: JoinInput
  /** Codes whose proof has failed on this page. None is tried twice, because each try is one guess for the other side. */
  readonly usedUp: Set<string>
}

/** Joins the room of a code or a link. Secret digits leave this device only toward a legacy room, once confirmed. */
export async function joinRoom(joining: Joining): Promise<Pair> {
  const { signalling, signal, deviceName, by } = joining
  const prefix = prefixOf(by)
  if (prefix === null) throw new PortalError('pin' in by ? portalTexts.cannotJoin : portalTexts.linkIncomplete)
  if ('pin' in by && joining.usedUp.has(by.pin)) throw new PortalError(portalTexts.codeUsedUp)
  signalling.say({ type: 'px-locate', prefix })
  const located = signalling.take(['px-located'], { timeoutMs, signal })
  const { result, n, retryAfterSeconds } = await timely(located, portalTexts.roomJoinTimeout)
  if (retryAfterSeconds !== undefined) throw new PortalError(portalTexts.tooManyTries(retryAfterSeconds))
  if (result === 'v2' && n !== undefined) {
    const room = { n, prefix }
    return 'pin' in by && by.isFromAddress ? joinByKnownCode(joining, room) : proveAndJoin(joining, room)
  }
  // A link with a secret is made by a device that can prove it: the server must not say otherwise.
  if ('secret' in by) throw new PortalError(result === 'none' ? portalTexts.cannotJoin : portalTexts.notVerified)
  if (result !== 'classic' || !isLegacyCode(by.pin)) throw new PortalError(portalTexts.cannotJoin)
  const isConfirmed = await joining.confirmUnverified({ role: 'joiner', name: '', signal })
  if (!isConfirmed) throw new PortalError(portalTexts.cannotJoin)
  // The server knows all digits from here on, so they prove nothing in a room that it opens later.
  joining.usedUp.add(by.pin)
  signalling.say({ type: 'join-room', roomCode: by.pin, deviceName })
  await joined(joining)
  return { peerName: '', proof: null }
}

/**
 * Joins by a code from an address, which servers and proxies log. The digits may also be those of a link whose secret was
 * lost on the way, which would use up the creator's code, so the person is asked first.
 */
async function joinByKnownCode(joining: Joining, room: Pick<Meeting, 'n' | 'prefix'>): Promise<Pair> {
  const { confirmUnverified, signal } = joining
  const isConfirmed = await confirmUnverified({ role: 'joiner', name: '', isCodeFromAddress: true, signal })
  if (!isConfirmed) throw new PortalError(portalTexts.cannotJoin)
  const { peerName, proof } = await proveAndJoin(joining, room)
  return { peerName, proof: proof && { ...proof, mode: null } }
}

const isLegacyCode = (pin: string): boolean => /^[1-9]\d{5}$/.test(pin)

async function proveAndJoin(joining: Joining, room: Pick<Meeting, 'n' | 'prefix'>): Promise<Pair> {
  const { signalling, signal, origin, deviceName, by, usedUp } = joining
  const what =
    'pin' in by ? { mode: 'pin', pin: by.pin, secret: noSecret } : { mode: 'link', pin: '', secret: by.secret }
  const mode = what.mode as 'pin' | 'link'
  const proof = await startProof({ ...room, ...what, mode, role: 'joiner', origin, deviceName })
  const { element, associated } = proof.message
  const px = { v: 2, mode, y: toBase64url(element), ad: toBase64url(associated) } as const
  signalling.say({ type: 'join-room', roomCode: room.prefix, deviceName, px })
  await joined({ signalling, signal })
  const answer = await timely(
    signalling.take(['px-pake', 'px-fail', 'peer-left'], { timeoutMs, signal }),
    portalTexts.roomJoinTimeout,
  )
  const notProved = mode === 'link' ? portalTexts.notVerified : portalTexts.cannotJoin
  if (answer.type !== 'px-pake') throw new PortalError(notProved)
  try {
    const theirs = { element: fromBase64url(answer.y), associated: fromBase64url(answer.ad) }
    const keys = await proof.finish(theirs)
    await keys.requireTag(fromBase64url(answer.tag))
    signalling.say({ type: 'px-confirm', tag: toBase64url(await keys.tag()) })
    return { peerName: nameIn(theirs.associated), proof: { mode, keys: await pairKeysOf(keys, 'joiner') } }
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error
    if (mode === 'pin') usedUp.add(what.pin)
    signalling.say({ type: 'px-fail', stage: 'confirm-b' })
    throw new PortalError(notProved)
  }
}

async function joined({ signalling, signal }: Pick<Place, 'signalling' | 'signal'>): Promise<void> {
  const answer = signalling.take(['room-joined', 'room-error'], { timeoutMs, signal })
  const { type } = await timely(answer, portalTexts.roomJoinTimeout)
  if (type === 'room-error') throw new PortalError(portalTexts.cannotEnter)
}
