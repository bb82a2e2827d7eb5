import type { ServerSignal } from '@sallyport/contract/portals'
import { expire, leave, type PeerSide, type PortalRoom, type RoomStep } from './room.rules.ts'

/** The socket that reaches a device: its node, and the connection id at that node. */
export interface PeerSlot {
  readonly node: string
  readonly line: string
}

/** A room with the connections of its devices, as all nodes see it. */
export interface RoomRecord {
  readonly room: PortalRoom
  /** Hash of the address block that opened the room, for limits only. */
  readonly address: string
  /** Hashes of all address blocks that the room counts for: the address, and wider networks of IPv6. */
  readonly sources: readonly string[]
  readonly seats: Readonly<Record<PeerSide, PeerSlot | null>>
}

/** The messages to one connection. */
export interface Delivery {
  readonly to: PeerSlot
  readonly messages: readonly ServerSignal[]
  /** Whether the connection is in no room from now on. */
  readonly isOver: boolean
  /** Whether the device has thereby shown a wrong code. */
  readonly isMissed: boolean
}

/** The result of a step: the new record, or null once the room is closed, and the messages to deliver. */
export interface RoomChange {
  readonly record: RoomRecord | null
  readonly deliveries: readonly Delivery[]
}

const sides = ['creator', 'joiner'] as const

/** Converts a step of the room rules to the new record and its deliveries. */
export function toRoomChange(record: RoomRecord, { room, messages: sent, wrongCodeBy }: RoomStep): RoomChange {
  const deliveries = sides.flatMap((side): Delivery[] => {
    const to = record.seats[side]
    const messages = sent.filter(([recipient]) => recipient === side).map(([, message]) => message)
    const isOver = room === null || (side === 'joiner' && room.joiner === null)
    return to && (messages.length > 0 || isOver) ? [{ to, messages, isOver, isMissed: side === wrongCodeBy }] : []
  })
  const joiner = room?.joiner ? record.seats.joiner : null
  return { record: room && { ...record, room, seats: { ...record.seats, joiner } }, deliveries }
}

/** Returns the record with another connection, or none, for one of its devices. */
export const withPeerSlot = (record: RoomRecord, side: PeerSide, peerSlot: PeerSlot | null): RoomRecord => ({
  ...record,
  seats: { ...record.seats, [side]: peerSlot },
})

/** A device left, or its connection was lost. */
export function disconnectPeer(record: RoomRecord, side: PeerSide, now: number, isConnectionLost: boolean): RoomChange {
  const outcome = toRoomChange(record, leave(record.room, side, now, isConnectionLost))
  return { ...outcome, record: outcome.record && withPeerSlot(outcome.record, side, null) }
}

/** Expires what is due, and removes the connections of nodes that are gone. Null when nothing changes. */
export function sweepRecord(
  record: RoomRecord,
  now: number,
  isNodeAlive: (node: string) => boolean,
): RoomChange | null {
  const lost = sides.find((side) => {
    const peerSlot = record.seats[side]
    return peerSlot !== null && !isNodeAlive(peerSlot.node)
  })
  if (lost) return disconnectPeer(record, lost, now, true)
  const step = expire(record.room, now)
  return step.room === record.room ? null : toRoomChange(record, step)
}
