import { portalLimits } from '@sallyport/contract/limits'
import { type IceServer, PassedOn, type SignalSent, type SignalTold } from '@sallyport/contract/portals'
import * as z from 'zod/mini'
import type { OpenSignIn } from '../live/ended-watch.ts'
import { createEntering, type EnteringParts } from './entering.ts'
import { type Kept, type Outcome, settle, tidy, vacate } from './kept.rules.ts'
import { createPlaces, type Line } from './places.ts'
import * as rules from './room.rules.ts'

/** Who opens a signalling socket: somebody signed in, or a visitor. */
export interface PortalHolder {
  readonly purpose: 'portal'
  readonly signIn: OpenSignIn | null
}

interface Parts extends Omit<EnteringParts, 'places'> {
  /** Credentials for a server that carries bytes between two devices; empty without one. */
  readonly turnFor: (peerId: string) => IceServer[]
  /** A place at the relay for each of the two devices of a room, or null where there is none. */
  readonly relayFor: (
    address: string,
    asker: Pick<Line, 'address' | 'userId'>,
  ) => Promise<{ readonly creator: string; readonly joiner: string } | null>
}

const refusedSignal = { type: 'room-error', error: 'Unknown error' } as const satisfies SignalTold
const isPassedOn = (message: SignalSent): message is PassedOn => z.safeParse(PassedOn, message).success

/** The rooms where devices meet, and who sits in them. It knows codes, names of devices and addresses of sockets, and no file. */
export function createPortalHub({ turnFor, relayFor, ...parts }: Parts) {
  const { rooms, pins, now } = parts
  const places = createPlaces((address) => void pins.missed(address).catch(() => undefined))
  const owed = new Set<() => Promise<void>>()
  const entering = createEntering({ ...parts, places })
  rooms.listen(places.deliver, places.renewAll)

  /** Takes a step in the room where a line sits; none once another line sits in its place. */
  async function inRoom(line: Line, decide: (kept: Kept, side: rules.Side) => Outcome | null): Promise<void> {
    const place = places.of(line)
    if (!place) return
    const { code, side } = place
    await rooms.change(code, (kept) => (kept.seats[side]?.line === line.id ? decide(kept, side) : null))
  }

  /** Takes a step that the rules name. */
  const step = (line: Line, next: (room: rules.Room, side: rules.Side) => rules.Step): Promise<void> =>
    inRoom(line, (kept, side) => settle(kept, next(kept.room, side)))

  async function pairedRoomOf(line: Line): Promise<Kept | null> {
    const place = places.of(line)
    const kept = place && (await rooms.read(place.code))
    return kept?.room.joiner?.stage === 'paired' && kept.seats[place?.side ?? 'creator']?.line === line.id ? kept : null
  }

  async function offerRelay(line: Line): Promise<void> {
    const paired = await pairedRoomOf(line)
    if (paired?.room.version !== 2) return
    const tokens = await relayFor(paired.address, line)
    const toldTo = (side: rules.Side): SignalTold =>
      tokens ? { type: 'px-relay-ready', token: tokens[side] } : refusedSignal
    await step(line, (room) => ({
      room,
      tell: [
        ['creator', toldTo('creator')],
        ['joiner', toldTo('joiner')],
      ],
    }))
  }

  async function tellIceServers(line: Line): Promise<void> {
    const paired = await pairedRoomOf(line)
    const side = places.of(line)?.side
    if (paired && side) line.tell({ type: 'px-ice', iceServers: turnFor(`${paired.room.code}-${side}`) })
  }

  /** The socket was closed, or its device has said that it goes. Where that cannot be written down now, it is later. */
  async function gone(line: Line, isLineLost: boolean): Promise<void> {
    const place = places.of(line)
    if (!place) return
    const { code, side } = place
    places.leave(line)
    const depart = async (): Promise<void> => {
      const outcome = await rooms.change(code, (kept) =>
        kept.seats[side]?.line === line.id ? vacate(kept, side, now(), isLineLost) : null,
      )
      // A line that sits nowhere any more is told nothing, not even that.
      const words = typeof outcome === 'object' ? outcome.words : []
      if (words.some(({ to, isMissed }) => isMissed && to.line === line.id)) await pins.missed(line.address)
    }
    await depart().catch((error: unknown) => {
      owed.add(depart)
      throw error
    })
  }

  async function tend(signal: AbortSignal): Promise<void> {
    for (const depart of owed) await depart().then(() => owed.delete(depart))
    const round = await rooms.round()
    if (!round) return
    const due = (kept: Kept) => tidy(kept, now(), round.isThere)
    for (const kept of round.rooms) if (!signal.aborted && due(kept)) await rooms.change(kept.room.code, due)
  }

  return {
    async hear(line: Line, message: SignalSent): Promise<void> {
      if (isPassedOn(message)) return step(line, (room, side) => rules.passOn(room, side, message))
      switch (message.type) {
        case 'create-room':
          return entering.create(line, message)
        case 'join-room':
          return entering.join(line, message)
        case 'px-locate':
          return entering.find(line, message.prefix)
        case 'px-rejoin':
          return entering.comeBack(line, message)
        case 'px-admit':
          return inRoom(line, (kept, side) =>
            side === 'creator' ? settle(kept, rules.admit(kept.room, message.peerId, message.ok)) : null,
          )
        case 'px-fail':
          return step(line, (room, side) => rules.fail(room, side, message.stage))
        case 'px-leave':
          return gone(line, false)
        case 'px-ice':
          return tellIceServers(line)
        case 'px-relay':
          return offerRelay(line)
      }
    },
    gone,
    isOpen: entering.isOpen,
    countLookup: entering.countLookup,
    job: {
      name: 'portals nobody is in',
      everyMs: portalLimits.sweepEveryMs,
      run: tend,
    },
  }
}

export type PortalHub = ReturnType<typeof createPortalHub>
