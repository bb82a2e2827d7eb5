import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import type { PassedOn, PortalMode, SignalTold } from '@sallyport/contract/portals'
import type { RoomVersion } from './codes.rules.ts'

export type Side = 'creator' | 'joiner'

interface Device {
  readonly id: string
  readonly name: string
  /** Hash of what brings it back after its line was lost; null for devices that know only the basic protocol. */
  readonly resume: string | null
  readonly awaySince: number | null
}

/** `asking`: the creator compares its digits. `proving`: both show that they know the code. */
type Stage = 'asking' | 'proving' | 'paired'

export interface Room {
  readonly code: string
  readonly version: RoomVersion
  /** Chosen by the creator for this room alone; goes into the proof of the code. */
  readonly n: string | null
  readonly openedAt: number
  /** Whether it opens by a link alone, whose secret cannot be guessed: a wrong proof does not end it. */
  readonly isLinkOnly: boolean
  /** Devices that came in the present window, so that a flood of them does not reach the creator. */
  readonly arrivals: { readonly count: number; readonly windowEndsAt: number }
  readonly creator: Device
  readonly joiner: (Device & { readonly stage: Stage }) | null
}

export interface Step {
  /** Null once the room is over. */
  readonly room: Room | null
  readonly tell: readonly (readonly [to: Side, message: SignalTold])[]
  /** Who it was that showed a wrong code. */
  readonly missed?: Side
}

export interface Newcomer {
  readonly id: string
  readonly deviceName: string
  /** What it is given to come back with, if it can. */
  readonly resume: string
  readonly resumeHash: string
  /** The last digits, where it sent all of them. */
  readonly tail: string
  readonly px?: { readonly mode: PortalMode; readonly y: string; readonly ad: string } | undefined
}

export const cannotJoin = { type: 'room-error', error: 'Failed to join room' } as const satisfies SignalTold

const stay = (room: Room): Step => ({ room, tell: [] })
const other = (side: Side): Side => (side === 'creator' ? 'joiner' : 'creator')

export const noArrivals: Room['arrivals'] = { count: 0, windowEndsAt: 0 }

/** The count after one more arrival; null when so many came that this one has to wait. */
function countArrival({ arrivals: { count, windowEndsAt } }: Room, now: number): Room['arrivals'] | null {
  const { points, windowSeconds } = portalRoomLimits.arrivalsPerRoom
  if (now >= windowEndsAt) return { count: 1, windowEndsAt: now + windowSeconds * 1000 }
  return count < points ? { count: count + 1, windowEndsAt } : null
}

/** Null where nobody can come in: there is a device already, the proof does not fit the room, or too many came. */
export function join(before: Room, newcomer: Newcomer, now: number): Step | null {
  const { id, deviceName, px, tail } = newcomer
  if (before.joiner || before.creator.awaySince !== null) return null
  if (px && before.version === 1) return null
  const arrivals = countArrival(before, now)
  if (!arrivals) return null
  const room = { ...before, arrivals }
  const device = { id, name: deviceName, resume: px ? newcomer.resumeHash : null, awaySince: null }
  const arrival = { type: 'peer-joined', deviceName, peerId: id } as const
  const joined = { type: 'room-joined', peerId: id } as const
  if (px) {
    return {
      room: { ...room, joiner: { ...device, stage: 'proving' } },
      tell: [
        ['joiner', { ...joined, px: { resume: newcomer.resume } }],
        ['creator', { ...arrival, px }],
      ],
    }
  }
  if (room.version === 2) {
    return {
      room: { ...room, joiner: { ...device, stage: 'asking' } },
      tell: [['creator', { ...arrival, px: { classic: true, tail } }]],
    }
  }
  return {
    room: { ...room, joiner: { ...device, stage: 'paired' } },
    tell: [
      ['joiner', joined],
      ['creator', arrival],
    ],
  }
}

/** The creator's word on the digits of a device that knows only the basic protocol. */
export function admit(room: Room, peerId: string, ok: boolean): Step {
  const { joiner } = room
  if (joiner?.stage !== 'asking' || joiner.id !== peerId) return stay(room)
  if (!ok) return { room: afterWrongProof(room), tell: [['joiner', cannotJoin]], missed: 'joiner' }
  return {
    room: { ...room, joiner: { ...joiner, stage: 'paired' } },
    tell: [['joiner', { type: 'room-joined', peerId: joiner.id }]],
  }
}

/** Hands a message to the other device, where this one may say it at this point. */
export function passOn(room: Room, from: Side, message: PassedOn): Step {
  const { joiner } = room
  if (!joiner || joiner.stage === 'asking') return stay(room)
  const tell: Step['tell'] = [[other(from), message]]
  if (message.type === 'px-confirm') {
    if (from !== 'joiner' || joiner.stage !== 'proving') return stay(room)
    return { room: { ...room, joiner: { ...joiner, stage: 'paired' } }, tell }
  }
  if (message.type === 'px-pake') return joiner.stage === 'proving' && from === 'creator' ? { room, tell } : stay(room)
  return joiner.stage === 'paired' ? { room, tell } : stay(room)
}

/** A code has one guess; a link that nobody can guess goes on waiting. */
const afterWrongProof = (room: Room): Room | null => (room.isLinkOnly ? { ...room, joiner: null } : null)

/** One of the two saw that the other does not know the code, or not the link. */
export function fail(room: Room, from: Side, stage: string): Step {
  const { joiner } = room
  if (room.version === 1) return stay(room)
  // A joiner that left after its proof came leaves a room whose code has had its guess.
  if (!joiner) return from === 'creator' && !room.isLinkOnly ? { room: null, tell: [] } : stay(room)
  const isUnproved = from === 'creator' || joiner.stage === 'proving'
  const next = isUnproved ? afterWrongProof(room) : null
  return { room: next, tell: [[other(from), { type: 'px-fail', stage }]], missed: 'joiner' }
}

/** A device went; one that only lost its line may come back for a while. */
export function leave(room: Room, side: Side, now: number, isLineLost: boolean): Step {
  const { creator, joiner } = room
  const device = side === 'creator' ? creator : joiner
  if (!device) return stay(room)
  const mayReturn = isLineLost && device.resume !== null && (side === 'creator' || joiner?.stage === 'paired')
  if (mayReturn) {
    const away = { ...device, awaySince: now }
    const tell: Step['tell'] =
      joiner?.stage === 'paired' ? [[other(side), { type: 'peer-left', px: { away: true } }]] : []
    return { room: placed(room, side, away), tell }
  }
  if (side === 'creator') {
    const gone: SignalTold = joiner?.stage === 'asking' ? cannotJoin : { type: 'peer-left' }
    return { room: null, tell: joiner ? [['joiner', gone]] : [] }
  }
  // Whoever left in the middle of the proof has had their guess.
  if (joiner?.stage === 'proving') {
    return { room: afterWrongProof(room), tell: [['creator', { type: 'px-fail', stage: 'left' }]], missed: 'joiner' }
  }
  return { room: { ...room, joiner: null }, tell: [['creator', { type: 'peer-left' }]] }
}

/** Null when this device has no place here. */
export function rejoin(room: Room, peerId: string, resumeHash: string): (Step & { readonly side: Side }) | null {
  const side = room.creator.id === peerId ? 'creator' : 'joiner'
  const device = side === 'creator' ? room.creator : room.joiner
  if (device?.id !== peerId || device.resume === null || device.resume !== resumeHash) return null
  const back = placed(room, side, { ...device, awaySince: null })
  const across = side === 'creator' ? back.joiner : back.creator
  const isOtherHere = across !== null && across.awaySince === null
  return {
    side,
    room: back,
    tell: [
      [side, { type: 'px-rejoined', peerId, isOtherHere }],
      ...(isOtherHere && back.joiner?.stage === 'paired' ? [[other(side), { type: 'px-back' }] as const] : []),
    ],
  }
}

/** Ends what nobody came to, and what nobody came back to. */
export function expire(room: Room, now: number): Step {
  const { creator, joiner } = room
  const isStale = (device: Device | null): boolean =>
    device !== null && device.awaySince !== null && now - device.awaySince >= portalLimits.graceMs
  if (isStale(creator)) return leave({ ...room, creator: { ...creator, resume: null } }, 'creator', now, false)
  if (joiner && isStale(joiner)) return leave(room, 'joiner', now, false)
  if (!joiner && now - room.openedAt >= portalRoomLimits.unjoinedMs) {
    return { room: null, tell: [['creator', { type: 'room-error', error: 'Room creation timeout' }]] }
  }
  return stay(room)
}

function placed(room: Room, side: Side, device: Device): Room {
  if (side === 'creator') return { ...room, creator: device }
  return { ...room, joiner: room.joiner && { ...room.joiner, ...device } }
}
