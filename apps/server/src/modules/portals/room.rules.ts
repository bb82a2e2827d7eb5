import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import type { PortalMode, RelayedSignal, ServerSignal } from '@sallyport/contract/portals'
import type { RoomVersion } from './codes.rules.ts'

export type PeerSide = 'creator' | 'joiner'

interface Device {
  readonly id: string
  readonly name: string
  /** Hash of the resume token, for a reconnect; null for legacy peers. */
  readonly resume: string | null
  readonly awaySince: number | null
}

/** `asking`: the creator compares the digits. `proving`: both verify the code by CPace. */
type Stage = 'asking' | 'proving' | 'paired'

export interface PortalRoom {
  readonly code: string
  readonly version: RoomVersion
  /** Chosen by the creator for this room alone; an input of CPace. */
  readonly n: string | null
  readonly openedAt: number
  /**
   * Whether the room opens by a link alone, whose secret cannot be guessed: a failed verification does not close it.
   */
  readonly isLinkOnly: boolean
  /** Devices that arrived in the current window, so that a flood of them does not reach the creator. */
  readonly arrivals: { readonly count: number; readonly windowEndsAt: number }
  readonly creator: Device
  readonly joiner: (Device & { readonly stage: Stage }) | null
}

export interface RoomStep {
  /** Null once the room is closed. */
  readonly room: PortalRoom | null
  readonly messages: readonly (readonly [to: PeerSide, message: ServerSignal])[]
  /** The device that has shown a wrong code. */
  readonly wrongCodeBy?: PeerSide
}

export interface JoiningDevice {
  readonly id: string
  readonly deviceName: string
  /** The token to resume with, if the device can. */
  readonly resume: string
  readonly resumeHash: string
  /** The last digits, when the device sent all of them. */
  readonly tail: string
  readonly px?: { readonly mode: PortalMode; readonly y: string; readonly ad: string } | undefined
}

export const unknownError = { type: 'room-error', error: 'Unknown error' } as const satisfies ServerSignal
export const cannotJoin = { type: 'room-error', error: 'Failed to join room' } as const satisfies ServerSignal

const unchanged = (room: PortalRoom): RoomStep => ({ room, messages: [] })
const other = (side: PeerSide): PeerSide => (side === 'creator' ? 'joiner' : 'creator')

export const noArrivals: PortalRoom['arrivals'] = { count: 0, windowEndsAt: 0 }

/** Returns the count after one more arrival; null when the limit of the window is reached. */
function countArrival({ arrivals: { count, windowEndsAt } }: PortalRoom, now: number): PortalRoom['arrivals'] | null {
  const { points, windowSeconds } = portalRoomLimits.joinsPerRoom
  if (now >= windowEndsAt) return { count: 1, windowEndsAt: now + windowSeconds * 1000 }
  return count < points ? { count: count + 1, windowEndsAt } : null
}

/**
 * Returns null when the device cannot join: the room has two devices, the versions do not match, or too many devices
 * arrived.
 */
export function join(before: PortalRoom, joining: JoiningDevice, now: number): RoomStep | null {
  const { id, deviceName, px, tail } = joining
  if (before.joiner || before.creator.awaySince !== null) return null
  if (px && before.version === 1) return null
  const arrivals = countArrival(before, now)
  if (!arrivals) return null
  const room = { ...before, arrivals }
  const device = { id, name: deviceName, resume: px ? joining.resumeHash : null, awaySince: null }
  const arrival = { type: 'peer-joined', deviceName, peerId: id } as const
  const joined = { type: 'room-joined', peerId: id } as const
  if (px) {
    return {
      room: { ...room, joiner: { ...device, stage: 'proving' } },
      messages: [
        ['joiner', { ...joined, px: { resume: joining.resume } }],
        ['creator', { ...arrival, px }],
      ],
    }
  }
  if (room.version === 2) {
    return {
      room: { ...room, joiner: { ...device, stage: 'asking' } },
      messages: [['creator', { ...arrival, px: { classic: true, tail } }]],
    }
  }
  return {
    room: { ...room, joiner: { ...device, stage: 'paired' } },
    messages: [
      ['joiner', joined],
      ['creator', arrival],
    ],
  }
}

/** The creator's decision on the digits of a legacy peer. */
export function admit(room: PortalRoom, peerId: string, ok: boolean): RoomStep {
  const { joiner } = room
  if (joiner?.stage !== 'asking' || joiner.id !== peerId) return unchanged(room)
  if (!ok) return { room: afterWrongCode(room), messages: [['joiner', cannotJoin]], wrongCodeBy: 'joiner' }
  return {
    room: { ...room, joiner: { ...joiner, stage: 'paired' } },
    messages: [['joiner', { type: 'room-joined', peerId: joiner.id }]],
  }
}

/** Forwards a message to the other device, if this one may send it at this stage. */
export function forward(room: PortalRoom, from: PeerSide, message: RelayedSignal): RoomStep {
  const { joiner } = room
  if (!joiner || joiner.stage === 'asking') return unchanged(room)
  const messages: RoomStep['messages'] = [[other(from), message]]
  if (message.type === 'px-confirm') {
    if (from !== 'joiner' || joiner.stage !== 'proving') return unchanged(room)
    return { room: { ...room, joiner: { ...joiner, stage: 'paired' } }, messages }
  }
  if (message.type === 'px-pake')
    return joiner.stage === 'proving' && from === 'creator' ? { room, messages } : unchanged(room)
  return joiner.stage === 'paired' ? { room, messages } : unchanged(room)
}

/** A code allows one guess; a link, which cannot be guessed, stays open. */
const afterWrongCode = (room: PortalRoom): PortalRoom | null => (room.isLinkOnly ? { ...room, joiner: null } : null)

/** One of the devices found that the other does not know the code, or the link. */
export function fail(room: PortalRoom, from: PeerSide, stage: string): RoomStep {
  const { joiner } = room
  if (room.version === 1) return unchanged(room)
  // A joiner that left after sending its proof has used the one guess of the code.
  if (!joiner) return from === 'creator' && !room.isLinkOnly ? { room: null, messages: [] } : unchanged(room)
  const isUnverified = from === 'creator' || joiner.stage === 'proving'
  const next = isUnverified ? afterWrongCode(room) : null
  return { room: next, messages: [[other(from), { type: 'px-fail', stage }]], wrongCodeBy: 'joiner' }
}

/** A device left; one that only lost its connection may resume for a while. */
export function leave(room: PortalRoom, side: PeerSide, now: number, isConnectionLost: boolean): RoomStep {
  const { creator, joiner } = room
  const device = side === 'creator' ? creator : joiner
  if (!device) return unchanged(room)
  const canResume = isConnectionLost && device.resume !== null && (side === 'creator' || joiner?.stage === 'paired')
  if (canResume) {
    const away = { ...device, awaySince: now }
    const messages: RoomStep['messages'] =
      joiner?.stage === 'paired' ? [[other(side), { type: 'peer-left', px: { away: true } }]] : []
    return { room: withDevice(room, side, away), messages }
  }
  if (side === 'creator') {
    const message: ServerSignal = joiner?.stage === 'asking' ? cannotJoin : { type: 'peer-left' }
    return { room: null, messages: joiner ? [['joiner', message]] : [] }
  }
  // A device that left during the verification has used its guess.
  if (joiner?.stage === 'proving') {
    return {
      room: afterWrongCode(room),
      messages: [['creator', { type: 'px-fail', stage: 'left' }]],
      wrongCodeBy: 'joiner',
    }
  }
  return { room: { ...room, joiner: null }, messages: [['creator', { type: 'peer-left' }]] }
}

/** Null when the device is not in this room. */
export function rejoin(
  room: PortalRoom,
  peerId: string,
  resumeHash: string,
): (RoomStep & { readonly side: PeerSide }) | null {
  const side = room.creator.id === peerId ? 'creator' : 'joiner'
  const device = side === 'creator' ? room.creator : room.joiner
  if (device?.id !== peerId || device.resume === null || device.resume !== resumeHash) return null
  const updated = withDevice(room, side, { ...device, awaySince: null })
  const otherDevice = side === 'creator' ? updated.joiner : updated.creator
  const isOtherHere = otherDevice !== null && otherDevice.awaySince === null
  return {
    side,
    room: updated,
    messages: [
      [side, { type: 'px-rejoined', peerId, isOtherHere }],
      ...(isOtherHere && updated.joiner?.stage === 'paired' ? [[other(side), { type: 'px-back' }] as const] : []),
    ],
  }
}

/** Closes rooms that nobody joined, and removes devices that did not resume in time. */
export function expire(room: PortalRoom, now: number): RoomStep {
  const { creator, joiner } = room
  const isStale = (device: Device | null): boolean =>
    device !== null && device.awaySince !== null && now - device.awaySince >= portalLimits.graceMs
  if (isStale(creator)) return leave({ ...room, creator: { ...creator, resume: null } }, 'creator', now, false)
  if (joiner && isStale(joiner)) return leave(room, 'joiner', now, false)
  if (!joiner && now - room.openedAt >= portalRoomLimits.unjoinedMs) {
    return { room: null, messages: [['creator', { type: 'room-error', error: 'Room creation timeout' }]] }
  }
  return unchanged(room)
}

function withDevice(room: PortalRoom, side: PeerSide, device: Device): PortalRoom {
  if (side === 'creator') return { ...room, creator: device }
  return { ...room, joiner: room.joiner && { ...room.joiner, ...device } }
}
