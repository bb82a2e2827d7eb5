import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import { type ClientSignal, type IceServer, RelayedSignal, type ServerSignal } from '@sallyport/contract/portals'
import * as z from 'zod/mini'
import type { AuthSessionRef } from '../../platform/realtime/auth-session-monitor.ts'
import { createMemberships, type SignallingConnection } from './memberships.ts'
import * as rules from './room.rules.ts'
import { createRoomEntry, type RoomEntryDeps } from './room-entry.ts'
import { disconnectPeer, type RoomChange, type RoomRecord, sweepRecord, toRoomChange } from './room-record.rules.ts'

/** The holder of a signalling ticket: a signed-in user or a visitor. */
export interface PortalHolder {
  readonly purpose: 'portal'
  readonly authSession: AuthSessionRef | null
}

interface PortalHubDeps extends Omit<RoomEntryDeps, 'memberships'> {
  /** Credentials for the TURN server; empty without one. */
  readonly iceServersFor: (peerId: string) => IceServer[]
  /** A relay token for each of the two devices of a room, or null when there is no relay. */
  readonly reserveRelay: (
    address: string,
    requester: Pick<SignallingConnection, 'address' | 'userId'>,
  ) => Promise<{ readonly creator: string; readonly joiner: string } | null>
}

const isPassedOn = (message: ClientSignal): message is RelayedSignal => z.safeParse(RelayedSignal, message).success

/**
 * The rooms where devices pair, and the connections in them. It knows codes, device names and addresses, and no file.
 */
export function createPortalHub({ iceServersFor, reserveRelay, ...deps }: PortalHubDeps) {
  const { rooms, pins, now } = deps
  const memberships = createMemberships(
    (address) => void pins.countWrongCode(address).catch((error) => ignore(error, 'the rate limiter is unavailable')),
  )
  const pendingLeaves = new Set<() => Promise<void>>()
  const roomEntry = createRoomEntry({ ...deps, memberships })
  rooms.subscribe(memberships.deliver, memberships.reconnectAll)

  /** Updates the room of a connection; does nothing once another connection has replaced it. */
  async function updateRoom(
    client: SignallingConnection,
    decide: (record: RoomRecord, side: rules.PeerSide) => RoomChange | null,
  ): Promise<void> {
    const membership = memberships.get(client)
    if (!membership) return
    const { code, side } = membership
    await rooms.update(code, (record) => (record.seats[side]?.line === client.id ? decide(record, side) : null))
  }

  /** Applies a step of the room rules. */
  const applyStep = (
    client: SignallingConnection,
    next: (room: rules.PortalRoom, side: rules.PeerSide) => rules.RoomStep,
  ): Promise<void> => updateRoom(client, (record, side) => toRoomChange(record, next(record.room, side)))

  async function pairedRoomOf(client: SignallingConnection): Promise<RoomRecord | null> {
    const membership = memberships.get(client)
    const record = membership && (await rooms.get(membership.code))
    return record?.room.joiner?.stage === 'paired' && record.seats[membership?.side ?? 'creator']?.line === client.id
      ? record
      : null
  }

  async function offerRelay(client: SignallingConnection): Promise<void> {
    const paired = await pairedRoomOf(client)
    if (paired?.room.version !== 2) return
    const tokens = await reserveRelay(paired.address, client)
    const messageFor = (side: rules.PeerSide): ServerSignal =>
      tokens ? { type: 'px-relay-ready', token: tokens[side] } : rules.unknownError
    await applyStep(client, (room) => ({
      room,
      messages: [
        ['creator', messageFor('creator')],
        ['joiner', messageFor('joiner')],
      ],
    }))
  }

  async function sendIceServers(client: SignallingConnection): Promise<void> {
    const paired = await pairedRoomOf(client)
    const side = memberships.get(client)?.side
    if (paired && side) client.send({ type: 'px-ice', iceServers: iceServersFor(`${paired.room.code}-${side}`) })
  }

  /** Handles a closed socket or a device that leaves. When the room cannot be updated now, the next sweep retries. */
  async function disconnect(client: SignallingConnection, isConnectionLost: boolean): Promise<void> {
    const membership = memberships.get(client)
    if (!membership) return
    const { code, side } = membership
    memberships.remove(client)
    const leaveRoom = async (): Promise<void> => {
      const change = await rooms.update(code, (record) =>
        record.seats[side]?.line === client.id ? disconnectPeer(record, side, now(), isConnectionLost) : null,
      )
      // A connection without a membership receives nothing, not even this message.
      const deliveries = typeof change === 'object' ? change.deliveries : []
      if (deliveries.some(({ to, isMissed }) => isMissed && to.line === client.id))
        await pins.countWrongCode(client.address)
    }
    await leaveRoom().catch((error: unknown) => {
      pendingLeaves.add(leaveRoom)
      throw error
    })
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    for (const leaveRoom of pendingLeaves) await leaveRoom().then(() => pendingLeaves.delete(leaveRoom))
    const round = await rooms.beginSweep()
    if (!round) return
    const sweepStep = (record: RoomRecord) => sweepRecord(record, now(), round.isNodeAlive)
    for (const record of round.rooms)
      if (!signal.aborted && sweepStep(record)) await rooms.update(record.room.code, sweepStep)
  }

  return {
    async handle(client: SignallingConnection, message: ClientSignal): Promise<void> {
      if (isPassedOn(message)) return applyStep(client, (room, side) => rules.forward(room, side, message))
      switch (message.type) {
        case 'create-room':
          return roomEntry.create(client, message)
        case 'join-room':
          return roomEntry.join(client, message)
        case 'px-locate':
          return roomEntry.findByPrefix(client, message.prefix)
        case 'px-rejoin':
          return roomEntry.rejoin(client, message)
        case 'px-admit':
          return updateRoom(client, (record, side) =>
            side === 'creator' ? toRoomChange(record, rules.admit(record.room, message.peerId, message.ok)) : null,
          )
        case 'px-fail':
          return applyStep(client, (room, side) => rules.fail(room, side, message.stage))
        case 'px-leave':
          return disconnect(client, false)
        case 'px-ice':
          return sendIceServers(client)
        case 'px-relay':
          return offerRelay(client)
      }
    },
    disconnect,
    isOpen: roomEntry.isOpen,
    countLookup: roomEntry.countLookup,
    job: {
      name: 'portal room sweep',
      everyMs: portalLimits.sweepEveryMs,
      run: sweep,
    },
  }
}

export type PortalHub = ReturnType<typeof createPortalHub>
