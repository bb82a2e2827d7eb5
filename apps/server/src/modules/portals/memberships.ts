import type { ServerSignal } from '@sallyport/contract/portals'
import type { PeerSide } from './room.rules.ts'
import type { Delivery } from './room-record.rules.ts'

/** An open signalling socket. */
export interface SignallingConnection {
  readonly id: string
  /** The address block of the client, for limits only. */
  readonly address: string
  /** Null for a visitor. */
  readonly userId: string | null
  readonly send: (message: ServerSignal) => void
  /** Closes the socket so that the device reconnects. */
  readonly requestReconnect: () => void
}

export interface RoomMembership {
  readonly code: string
  readonly side: PeerSide
}

/** The rooms that the connections of this node are in. */
export function createMemberships(onWrongCode: (address: string) => void) {
  const byConnectionId = new Map<string, RoomMembership & { readonly connection: SignallingConnection }>()

  return {
    get: (connection: SignallingConnection): RoomMembership | null => byConnectionId.get(connection.id) ?? null,
    add: (connection: SignallingConnection, membership: RoomMembership): void =>
      void byConnectionId.set(connection.id, { ...membership, connection }),
    remove: (connection: SignallingConnection): void => void byConnectionId.delete(connection.id),
    reconnectAll(): void {
      for (const { connection } of [...byConnectionId.values()]) connection.requestReconnect()
    },
    /** Delivers messages to a connection, unless it has closed meanwhile. */
    deliver({ to, messages, isOver, isMissed }: Delivery): void {
      const connection = byConnectionId.get(to.line)?.connection
      if (isOver) byConnectionId.delete(to.line)
      for (const message of messages) connection?.send(message)
      if (isMissed && connection) onWrongCode(connection.address)
    },
  }
}

export type Memberships = ReturnType<typeof createMemberships>
