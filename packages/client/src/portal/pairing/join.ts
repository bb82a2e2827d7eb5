import { CryptoError } from '@sallyport/crypto'
import { fromBase64url, toBase64url } from '@sallyport/crypto/portal'
import { withTimeoutError } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { type PairingDeps, type PairingResult, pairingTimeoutMs } from './pairing.ts'
import { derivePairKeys, type PakeInput, parseDeviceName, startPake } from './pake.ts'
import { type JoinInput, prefixOf } from './room-code.ts'

interface JoinRoomOptions extends PairingDeps {
  readonly input: JoinInput
  /** Codes whose proof failed on this page. None is tried again, because each try gives the other side one guess. */
  readonly usedUpCodes: Set<string>
}

/** Joins the room of a code or a link. Secret digits are sent only for a legacy room, after the user confirms. */
export async function joinRoom(options: JoinRoomOptions): Promise<PairingResult> {
  const { signalling, signal, deviceName, input } = options
  const prefix = prefixOf(input)
  if (prefix === null) throw new PortalError('pin' in input ? 'CANNOT_JOIN' : 'LINK_INCOMPLETE')
  if ('pin' in input && options.usedUpCodes.has(input.pin)) throw new PortalError('CODE_USED_UP')
  signalling.send({ type: 'px-locate', prefix })
  const lookup = signalling.receive(['px-located'], { timeoutMs: pairingTimeoutMs, signal })
  const { result, n, retryAfterSeconds } = await withTimeoutError(lookup, 'ROOM_JOIN_TIMEOUT')
  if (retryAfterSeconds !== undefined) throw new PortalError('TOO_MANY_TRIES', retryAfterSeconds)
  if (result === 'v2' && n !== undefined) {
    const room = { n, prefix }
    return 'pin' in input && input.isFromAddress ? joinByAddressCode(options, room) : joinWithPake(options, room)
  }
  // Only a device that supports the PAKE creates a link, so the server must not downgrade it.
  if ('secret' in input) throw new PortalError(result === 'none' ? 'CANNOT_JOIN' : 'NOT_VERIFIED')
  if (result !== 'classic' || !isLegacyCode(input.pin)) throw new PortalError('CANNOT_JOIN')
  const isConfirmed = await options.confirmUnverified({ role: 'joiner', name: '', signal })
  if (!isConfirmed) throw new PortalError('CANNOT_JOIN')
  // The server now knows all digits, so they must not be accepted as a proof in a later room.
  options.usedUpCodes.add(input.pin)
  signalling.send({ type: 'join-room', roomCode: input.pin, deviceName })
  await awaitJoined(options)
  return { peerName: '', pake: null }
}

/**
 * Joins by a code from a URL, which servers and proxies log. The digits may also be those of a link that lost its
 * secret, which would use up the creator's code, so the user is asked first.
 */
async function joinByAddressCode(
  options: JoinRoomOptions,
  room: Pick<PakeInput, 'n' | 'prefix'>,
): Promise<PairingResult> {
  const { confirmUnverified, signal } = options
  const isConfirmed = await confirmUnverified({ role: 'joiner', name: '', isCodeFromAddress: true, signal })
  if (!isConfirmed) throw new PortalError('CANNOT_JOIN')
  const { peerName, pake } = await joinWithPake(options, room)
  return { peerName, pake: pake && { ...pake, mode: null } }
}

const isLegacyCode = (pin: string): boolean => /^[1-9]\d{5}$/.test(pin)

async function joinWithPake(options: JoinRoomOptions, room: Pick<PakeInput, 'n' | 'prefix'>): Promise<PairingResult> {
  const { signalling, signal, origin, deviceName, input, usedUpCodes } = options
  const credentials =
    'pin' in input
      ? { mode: 'pin', pin: input.pin, secret: new Uint8Array(0) }
      : { mode: 'link', pin: '', secret: input.secret }
  const mode = credentials.mode as 'pin' | 'link'
  const pake = await startPake({ ...room, ...credentials, mode, role: 'joiner', origin, deviceName })
  const { element, aad } = pake.message
  const px = { v: 2, mode, y: toBase64url(element), ad: toBase64url(aad) } as const
  signalling.send({ type: 'join-room', roomCode: room.prefix, deviceName, px })
  await awaitJoined({ signalling, signal })
  const answer = await withTimeoutError(
    signalling.receive(['px-pake', 'px-fail', 'peer-left'], { timeoutMs: pairingTimeoutMs, signal }),
    'ROOM_JOIN_TIMEOUT',
  )
  const failureCode = mode === 'link' ? 'NOT_VERIFIED' : 'CANNOT_JOIN'
  if (answer.type !== 'px-pake') throw new PortalError(failureCode)
  try {
    const peerMessage = { element: fromBase64url(answer.y), aad: fromBase64url(answer.ad) }
    const keys = await pake.finish(peerMessage)
    await keys.requireTag(fromBase64url(answer.tag))
    signalling.send({ type: 'px-confirm', tag: toBase64url(await keys.tag()) })
    return { peerName: parseDeviceName(peerMessage.aad), pake: { mode, keys: await derivePairKeys(keys, 'joiner') } }
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error
    if (mode === 'pin') usedUpCodes.add(credentials.pin)
    signalling.send({ type: 'px-fail', stage: 'confirm-b' })
    throw new PortalError(failureCode)
  }
}

async function awaitJoined({ signalling, signal }: Pick<PairingDeps, 'signalling' | 'signal'>): Promise<void> {
  const answer = signalling.receive(['room-joined', 'room-error'], { timeoutMs: pairingTimeoutMs, signal })
  const { type } = await withTimeoutError(answer, 'ROOM_JOIN_TIMEOUT')
  if (type === 'room-error') throw new PortalError('CANNOT_ENTER')
}
