import { classicPortalLimits, portalLimits } from '@sallyport/contract/limits'
import type { SignalTold } from '@sallyport/contract/portals'
import { CryptoError } from '@sallyport/crypto'
import { type Bytes, equalBytes, fromBase64url, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import type { PortalOptions } from './options.ts'
import { type Meeting, nameIn, type PairKeys, pairKeysOf, startProof } from './proof.ts'
import { type Signalling, timely } from './signalling.ts'

/** Two devices that have met. */
export interface Pair {
  readonly peerName: string
  /** How the code was proved; null where it was not. */
  readonly proof: { readonly mode: 'pin' | 'link'; readonly keys: PairKeys } | null
}

/** What the creator shows: the code, and for a link or a QR code the bytes behind `#`. */
export interface Invitation {
  readonly pin: string
  readonly secret: Bytes
  /** Whether the digits alone open nothing. */
  readonly isLinkOnly: boolean
}

/** Somebody who came and was sent away; the code is used up by it. */
export interface SentAway {
  readonly sentAway: string
}

interface Place {
  readonly signalling: Signalling
  readonly origin: string
  readonly deviceName: string
  readonly signal: AbortSignal
}

const timeoutMs = classicPortalLimits.roomTimeoutMs

/** Draws digits that each are as likely as any other. */
export function drawDigits(count: number): string {
  let digits = ''
  while (digits.length < count) {
    for (const byte of randomBytes(count * 2)) if (byte < 250 && digits.length < count) digits += String(byte % 10)
  }
  return digits
}

interface Opened extends Invitation {
  readonly n: string
  readonly locator: string
}

/** Opens a room. Only the first digits of its code are known to the server. */
export async function openRoom({ signalling, deviceName, signal }: Place, isLinkOnly: boolean): Promise<Opened> {
  const n = toBase64url(randomBytes(16))
  signalling.say({ type: 'create-room', deviceName, px: { v: 2, n } })
  const answer = await timely(
    signalling.take(['room-created', 'room-error'], { timeoutMs, signal }),
    portalTexts.roomCreationTimeout,
  )
  if (answer.type === 'room-error') throw new PortalError(portalTexts.roomCreationFailed)
  const locator = answer.roomCode
  const pin = locator + drawDigits(portalLimits.codeDigits - locator.length)
  return { n, locator, pin, secret: randomBytes(16), isLinkOnly }
}

const wrongCode: SentAway = { sentAway: portalTexts.wrongCode }

/** Waits in an open room for the other device. Whoever is sent away has used this code up: it had its one guess. */
export async function awaitPair(place: Place, opened: Opened, options: PortalOptions): Promise<Pair | SentAway> {
  const { signalling, signal } = place
  const arrival = await signalling.take(['peer-joined', 'px-fail', 'room-error'], { signal })
  if (arrival.type === 'px-fail') return wrongCode
  if (arrival.type === 'room-error') throw new PortalError(arrival.error)
  const { px, deviceName: peerName, peerId } = arrival
  if (!px || 'classic' in px) {
    const isRight = !px || equalBytes(utf8(px.tail), utf8(opened.pin.slice(opened.locator.length)))
    // The relay carries only for devices that have proved the code.
    const isRefused = options.verifiedOnly || options.linkOnly || options.relayOnly
    if (px) signalling.say({ type: 'px-admit', peerId, ok: isRight && !isRefused })
    if (!isRight) return wrongCode
    if (!isRefused) return { peerName, proof: null }
    if (!px) throw new PortalError(portalTexts.notVerified)
    return { sentAway: portalTexts.basicRefused }
  }
  if (options.linkOnly && px.mode === 'pin') {
    signalling.say({ type: 'px-fail', stage: 'link-only' })
    return { sentAway: portalTexts.typedRefused }
  }
  const meeting = { ...opened, ...place, role: 'creator', mode: px.mode } as const
  const proof = await startProof({ ...meeting, secret: px.mode === 'link' ? opened.secret : new Uint8Array(0) })
  try {
    const theirs = { element: fromBase64url(px.y), associated: fromBase64url(px.ad) }
    const keys = await proof.finish(theirs)
    const { element, associated } = proof.message
    const [y, ad, tag] = [element, associated, await keys.tag()].map(toBase64url) as [string, string, string]
    signalling.say({ type: 'px-pake', y, ad, tag })
    const answer = await signalling.take(['px-confirm', 'px-fail', 'peer-left'], { timeoutMs, signal })
    if (answer.type !== 'px-confirm') return wrongCode
    await keys.requireTag(fromBase64url(answer.tag))
    // The server may call it what it likes; this name is proved with the code.
    return { peerName: nameIn(theirs.associated), proof: { mode: px.mode, keys: await pairKeysOf(keys, 'creator') } }
  } catch (error) {
    if (signal.aborted || signalling.lost.aborted) throw error
    signalling.say({ type: 'px-fail', stage: 'confirm-a' })
    await signalling.take(['px-fail'], { timeoutMs: 0, signal }).catch(() => undefined)
    return wrongCode
  }
}

interface Joining extends Place {
  readonly pin: string
  /** From a link or a QR code; null where the code was typed. */
  readonly secret: Bytes | null
  /** Asks whether to go on with a device whose connection cannot be verified. */
  readonly confirmBasic: () => Promise<boolean>
}

/** Joins the room of a code. The last digits leave this device only toward a room of the basic protocol, once confirmed. */
export async function joinRoom(joining: Joining): Promise<Pair> {
  const { signalling, pin, secret, deviceName, confirmBasic } = joining
  const { result, n, locator } = await locate(joining)
  if (result === 'none') throw new PortalError(portalTexts.cannotJoin)
  if (result !== 'v2' || n === undefined) {
    // A link with a secret is made by a device that can prove its code: whoever says otherwise stands in its place.
    if (secret) throw new PortalError(portalTexts.notVerified)
    if (!(await confirmBasic())) throw new PortalError(portalTexts.cannotJoin)
    signalling.say({ type: 'join-room', roomCode: pin, deviceName })
    await joined(joining)
    return { peerName: '', proof: null }
  }
  const mode = secret ? 'link' : 'pin'
  const meeting: Meeting = { ...joining, role: 'joiner', mode, secret: secret ?? new Uint8Array(0), n, locator }
  return proveAndJoin(joining, meeting)
}

async function proveAndJoin({ signalling, signal }: Joining, meeting: Meeting): Promise<Pair> {
  const { mode, deviceName, locator } = meeting
  const proof = await startProof(meeting)
  const { element, associated } = proof.message
  const px = { v: 2, mode, y: toBase64url(element), ad: toBase64url(associated) } as const
  signalling.say({ type: 'join-room', roomCode: locator, deviceName, px })
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
    signalling.say({ type: 'px-fail', stage: 'confirm-b' })
    throw new PortalError(notProved)
  }
}

/** Two digits say enough while few rooms are open, three always do. */
async function locate({ signalling, signal, pin }: Joining) {
  type Located = Extract<SignalTold, { type: 'px-located' }>
  const ask = async (digits: number): Promise<Located & { locator: string }> => {
    const locator = pin.slice(0, digits)
    signalling.say({ type: 'px-locate', prefix: locator })
    const answer = signalling.take(['px-located'], { timeoutMs, signal })
    return { ...(await timely(answer, portalTexts.roomJoinTimeout)), locator }
  }
  const first = await ask(2)
  return first.result === 'more' ? ask(3) : first
}

async function joined({ signalling, signal }: Pick<Place, 'signalling' | 'signal'>): Promise<void> {
  const answer = signalling.take(['room-joined', 'room-error'], { timeoutMs, signal })
  const { type } = await timely(answer, portalTexts.roomJoinTimeout)
  if (type === 'room-error') throw new PortalError(portalTexts.cannotEnter)
}
