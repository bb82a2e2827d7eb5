import type { RoomVersion } from './codes.rules.ts'
import type { Delivery, RoomChange, RoomRecord } from './room-record.rules.ts'

/** An address or a network, as a hash, and the maximum of its open rooms. */
export interface RoomSource {
  readonly key: string
  readonly maxRooms: number
}

interface CreateRoomInput {
  readonly version: RoomVersion
  readonly sources: readonly RoomSource[]
}

interface SweepRound {
  readonly rooms: readonly RoomRecord[]
  /** Whether the lease of a node is valid. */
  readonly isNodeAlive: (node: string) => boolean
}

/** Stores the rooms that devices pair in. Changes of a room are serialized over all nodes. */
export interface RoomStore {
  /** The id of this node. */
  readonly node: string
  /**
   * Stores a new room under an unambiguous code. `make` may be called with several codes. False when no code is free or
   * a source has its maximum of rooms.
   */
  create(request: CreateRoomInput, make: (code: string) => RoomChange): Promise<boolean>
  /** The codes of open rooms that begin with these two digits. */
  listCodes(twoDigits: string): Promise<ReadonlySet<string>>
  get(code: string): Promise<RoomRecord | null>
  /**
   * Updates a room. `decide` is called again when the room has changed meanwhile; null leaves it unchanged. All
   * connections receive messages in the order of the changes.
   */
  update(code: string, decide: (record: RoomRecord) => RoomChange | null): Promise<RoomChange | 'left' | 'missing'>
  /** Renews the lease of this node. Returns the rooms to sweep, or null while another node sweeps. */
  beginSweep(): Promise<SweepRound | null>
  /**
   * Calls `onDelivery` with deliveries to connections of this node, and `onConnectionsLost` when deliveries were missed
   * or its connections removed.
   */
  subscribe(onDelivery: (delivery: Delivery) => void, onConnectionsLost: () => void): void
}
