import type { SignalTold } from '@sallyport/contract/portals'
import { expire, leave, type Room, type Side, type Step } from './room.rules.ts'

/** The socket a device is reached by: the node that holds it, and which of that node's lines it is. */
export interface Seat {
  readonly node: string
  readonly line: string
}

/** A room with the sockets of those who are in it, as every node sees it. */
export interface Kept {
  readonly room: Room
  /** Stands for the block of addresses the room was opened from, for limits only. */
  readonly address: string
  /** Stand for all that its room counts under: the address, and wider networks of IPv6. */
  readonly sources: readonly string[]
  readonly seats: Readonly<Record<Side, Seat | null>>
}

/** What is said to one line. */
export interface Word {
  readonly to: Seat
  readonly messages: readonly SignalTold[]
  /** Whether it sits nowhere from now on. */
  readonly isOver: boolean
  /** Whether its device has shown a wrong code by this. */
  readonly isMissed: boolean
}

/** What comes of a step: the room as it is kept from now on, or null once it is over, and what is said. */
export interface Outcome {
  readonly kept: Kept | null
  readonly words: readonly Word[]
}

const sides = ['creator', 'joiner'] as const

/** What a step in a room means for those who sit in it. */
export function settle(kept: Kept, { room, tell, missed }: Step): Outcome {
  const words = sides.flatMap((side): Word[] => {
    const to = kept.seats[side]
    const messages = tell.filter(([whom]) => whom === side).map(([, message]) => message)
    const isOver = room === null || (side === 'joiner' && room.joiner === null)
    return to && (messages.length > 0 || isOver) ? [{ to, messages, isOver, isMissed: side === missed }] : []
  })
  const joiner = room?.joiner ? kept.seats.joiner : null
  return { kept: room && { ...kept, room, seats: { ...kept.seats, joiner } }, words }
}

/** The same room with somebody else, or nobody, at one of its places. */
export const seated = (kept: Kept, side: Side, seat: Seat | null): Kept => ({
  ...kept,
  seats: { ...kept.seats, [side]: seat },
})

/** A device went, by its own word or because its line was lost. */
export function vacate(kept: Kept, side: Side, now: number, isLineLost: boolean): Outcome {
  const outcome = settle(kept, leave(kept.room, side, now, isLineLost))
  return { ...outcome, kept: outcome.kept && seated(outcome.kept, side, null) }
}

/** Ends what is over by its time, and takes away the places of nodes that are gone. Null where all is well. */
export function tidy(kept: Kept, now: number, isThere: (node: string) => boolean): Outcome | null {
  const lost = sides.find((side) => {
    const seat = kept.seats[side]
    return seat !== null && !isThere(seat.node)
  })
  if (lost) return vacate(kept, lost, now, true)
  const step = expire(kept.room, now)
  return step.room === kept.room ? null : settle(kept, step)
}
