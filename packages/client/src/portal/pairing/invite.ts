import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import type { ServerSignal } from '@sallyport/contract/portals'
import { equalBytes, fromBase64url, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { raceAbort } from '../../clock.ts'
import { withTimeoutError } from '../channel.ts'
import { PortalError, type PortalErrorCode } from '../errors.ts'
import { type PairingDeps, type PairingResult, pairingTimeoutMs } from './pairing.ts'
import { derivePairKeys, parseDeviceName, startPake } from './pake.ts'
import { createInvitation, type Invitation, type PortalOptions } from './room-code.ts'

/** What a creator shows while waiting for the other device. */
export type InvitationKind = 'code' | 'link'

interface InviteEvents {
  /** A room is open, which another device can join by this invitation. */
  readonly onInvitation: (invitation: Invitation) => void
  /** A device was rejected, for this reason. */
  readonly onRejected: (notice: PortalErrorCode) => void
  /** Asks the user what to show after too many codes were used up; no code is shown meanwhile. */
  readonly chooseKind: () => Promise<InvitationKind>
}

/** Opens rooms until a device has paired in one of them. */
export async function invite(
  deps: PairingDeps,
  options: PortalOptions,
  { onInvitation, onRejected, chooseKind }: InviteEvents,
): Promise<PairingResult> {
  let { linkOnly } = options
  // Counted by the client, because the server is not trusted with the number.
  for (let codes = 1; ; codes += 1) {
    const room = await openRoom(deps, linkOnly)
    onInvitation(room)
    for (;;) {
      const outcome = await awaitPeer(deps, room, { ...options, linkOnly })
      if (!('notice' in outcome)) return outcome
      onRejected(outcome.notice)
      if (outcome.isCodeUsedUp) break
    }
    if (codes >= portalLimits.maxWrongCodes) linkOnly ||= (await chooseKind()) === 'link'
  }
}

/** A device that was rejected. */
interface RejectedPeer {
  readonly notice: PortalErrorCode
  /** Whether the code must not be used again. A link secret never expires this way. */
  readonly isCodeUsedUp: boolean
}

type PeerJoinedSignal = Extract<ServerSignal, { type: 'peer-joined' }>

interface OpenedRoom extends Invitation {
  readonly n: string
}

/** Opens a room. The server knows only the prefix of its code. */
async function openRoom({ signalling, deviceName, signal }: PairingDeps, isLinkOnly: boolean): Promise<OpenedRoom> {
  const n = toBase64url(randomBytes(16))
  signalling.send({ type: 'create-room', deviceName, px: { v: 2, n, ...(isLinkOnly && { linkOnly: true }) } })
  const answer = await withTimeoutError(
    signalling.receive(['room-created', 'room-error'], { timeoutMs: pairingTimeoutMs, signal }),
    'ROOM_CREATION_TIMEOUT',
  )
  if (answer.type === 'room-error') throw new PortalError('ROOM_CREATION_FAILED')
  return { n, ...createInvitation(answer.roomCode, isLinkOnly) }
}

/** Waits in an open room for the next device to join and answers it. */
async function awaitPeer(
  deps: PairingDeps,
  room: OpenedRoom,
  options: PortalOptions,
): Promise<PairingResult | RejectedPeer> {
  const { signalling, signal } = deps
  const joinSignal = await signalling.receive(['peer-joined', 'px-fail', 'room-error'], { signal })
  if (joinSignal.type === 'px-fail') return rejectWrongCode(room)
  if (joinSignal.type === 'room-error') throw new PortalError(roomErrors.get(joinSignal.error) ?? 'UNKNOWN')
  const { px } = joinSignal
  if (px && 'classic' in px) return answerLegacyPeer({ deps, room, options, joinSignal, tail: px.tail })
  if (!px) {
    // In a verified room every device sends a proof or the last digits of the code, so the server forged this one.
    signalling.send({ type: 'px-fail', stage: 'no-proof' })
    return rejectWrongCode(room)
  }
  if (options.linkOnly && px.mode === 'pin') {
    signalling.send({ type: 'px-fail', stage: 'link-only' })
    return rejectPeer(room, 'TYPED_CODE_REJECTED')
  }
  const pairing = { ...room, ...deps, role: 'creator', mode: px.mode } as const
  const pake = await startPake({ ...pairing, secret: px.mode === 'link' ? room.secret : new Uint8Array(0) })
  try {
    const peerMessage = { element: fromBase64url(px.y), aad: fromBase64url(px.ad) }
    const keys = await pake.finish(peerMessage)
    const { element, aad } = pake.message
    const [y, ad, tag] = [element, aad, await keys.tag()].map(toBase64url) as [string, string, string]
    signalling.send({ type: 'px-pake', y, ad, tag })
    const answer = await signalling.receive(['px-confirm', 'px-fail', 'peer-left'], {
      timeoutMs: pairingTimeoutMs,
      signal,
    })
    if (answer.type !== 'px-confirm') return rejectWrongCode(room)
    await keys.requireTag(fromBase64url(answer.tag))
    // This name is authenticated by the PAKE, unlike the one that the server sends.
    return {
      peerName: parseDeviceName(peerMessage.aad),
      pake: { mode: px.mode, keys: await derivePairKeys(keys, 'creator') },
    }
  } catch (error) {
    if (signal.aborted || signalling.lost.aborted) throw error
    signalling.send({ type: 'px-fail', stage: 'confirm-a' })
    return rejectWrongCode(room)
  }
}

/** The errors of the server in an open room that are known, so that it cannot put text on the screen. */
const roomErrors = new Map<string, PortalErrorCode>([
  ['Room creation timeout', 'NOBODY_JOINED'],
  ['Room creation failed', 'ROOM_CREATION_FAILED'],
  ['Failed to join room', 'CANNOT_JOIN'],
])

const rejectPeer = ({ isLinkOnly }: OpenedRoom, notice: PortalErrorCode): RejectedPeer => ({
  notice,
  isCodeUsedUp: !isLinkOnly,
})

const rejectWrongCode = (room: OpenedRoom): RejectedPeer =>
  rejectPeer(room, room.isLinkOnly ? 'LINK_REJECTED' : 'WRONG_CODE')

interface LegacyJoin {
  readonly deps: PairingDeps
  readonly room: OpenedRoom
  readonly options: PortalOptions
  readonly joinSignal: PeerJoinedSignal
  readonly tail: string
}

/**
 * Answers a legacy device, which sent all digits to the server. The server now knows the secret ones, so the code is
 * used up whatever the user decides.
 */
async function answerLegacyPeer({
  deps,
  room,
  options,
  joinSignal,
  tail,
}: LegacyJoin): Promise<PairingResult | RejectedPeer> {
  const { signalling, signal } = deps
  const { deviceName: name, peerId } = joinSignal
  const isRight = equalBytes(utf8(tail), utf8(room.pin.slice(room.prefix.length)))
  // The relay is only available to devices that proved the code.
  const isLegacyRejected = options.verifiedOnly || options.linkOnly || options.relayOnly
  const admit = (ok: boolean) => signalling.send({ type: 'px-admit', peerId, ok })
  if (!isRight || isLegacyRejected) {
    admit(false)
    return isRight ? rejectPeer(room, 'LEGACY_REJECTED') : rejectWrongCode(room)
  }
  const finished = new AbortController()
  const asking = AbortSignal.any([signal, signalling.lost, finished.signal])
  const question = deps.confirmUnverified({ role: 'creator', name, signal: asking })
  const departed = signalling.receive(['peer-left', 'px-fail', 'room-error'], { signal: asking })
  try {
    const answer = await raceAbort(Promise.race([question, departed]), asking)
    if (typeof answer === 'boolean') {
      admit(answer)
      return answer ? { peerName: name, pake: null } : rejectPeer(room, 'DECLINED')
    }
    signalling.send({ type: 'px-leave' })
    return rejectPeer(room, 'LEFT_UNANSWERED')
  } finally {
    departed.catch((error) => ignore(error, 'the question is answered'))
    finished.abort()
  }
}
