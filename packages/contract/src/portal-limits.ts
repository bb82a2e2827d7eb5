import { gigabyte, kilobyte, megabyte, minute, second } from './units.ts'

export const portalLimits = {
  /** Of a code of the basic protocol, and of what stands in `?join=` of a link. */
  codeDigits: 6,
  /** Of each code that two devices prove to each other: drawn by the creator, never sent to the server. */
  secretDigits: 4,
  /** Wrong codes after which a waiting device draws no further one by itself. */
  wrongCodes: 2,
  /** Messages with which a creator answers one arrival. */
  answersPerArrival: 3,
  /** Of what a device calls itself. */
  deviceNameCharacters: 200,
  /** For so long a device that lost its line may come back to its room. */
  graceMs: 10 * minute,
  sweepEveryMs: 5 * second,
  /** Signalling messages a device may send at once, and in a second after that. */
  signalBurst: 60,
  signalsPerSecond: 20,
  /** What the server carries between two devices that find no direct way. */
  relay: {
    frameBytes: 128 * kilobyte,
    /** A device is made to pause while the other one has so much before it. */
    waitingBytes: 512 * kilobyte,
    /** Where the two are at different nodes: how much of what one sent may be between them. */
    underWayBytes: 512 * kilobyte,
    openPerAddress: 4,
    /** What a pair without an account gets in a day; an IPv6 /48 is one address. */
    anonymousBytesPerDay: 1 * gigabyte,
    /**
     * Of the bytes of a day, what an account gets, and all trial accounts of one network together; what all pairs
     * without an account get together, and these with all trial accounts.
     */
    accountShareOfDay: 0.1,
    anonymousShareOfDay: 0.5,
    freeShareOfDay: 0.75,
    /** Both directions of a pair together. */
    bytesPerSecond: 16 * megabyte,
    unpairedMs: 30 * second,
  },
} as const

/** What only a server needs to know of the rooms of portals; kept apart so that no page loads it. */
export const portalRoomLimits = {
  /** Prefixes have two digits up to so many of them, and four beyond. */
  shortPrefixes: 60,
  /** Devices that may come to one waiting room in a window; others get the answer of a room that is not there. */
  arrivalsPerRoom: { points: 10, windowSeconds: 60 },
  /** Rooms nobody came to are closed. */
  unjoinedMs: 10 * minute,
  /** A node that was silent for so long is taken to be gone, and its devices to be away. */
  nodeLeaseMs: 20 * second,
  /** Where nodes share rooms, one that none of them looks after is forgotten after so long. */
  roomKeptMs: 15 * minute,
  openRoomsPerAddress: 10,
  /** The same for wider blocks of IPv6 addresses, by the length of their prefix. */
  openRoomsPerBlock: { 56: 20, 48: 60 },
  turnCredentialMs: 10 * minute,
} as const

/** Figures of the specification for devices that know nothing better. */
export const classicPortalLimits = {
  roomTimeoutMs: 30 * second,
  acceptTimeoutMs: 30 * second,
  readyBeforeSendMs: 10 * second,
  readyMs: 30 * second,
  sendRetries: 3,
  maxRetransmits: 3,
  receiveProgressCap: 0.9,
  /** From the smallest files to the largest; each class goes up to its size. */
  classes: [
    {
      upToBytes: 10 * megabyte,
      chunkBytes: 16 * kilobyte,
      bufferBytes: 128 * kilobyte,
      delayMs: 5,
      drainMs: 8 * second,
    },
    {
      upToBytes: 50 * megabyte,
      chunkBytes: 12 * kilobyte,
      bufferBytes: 96 * kilobyte,
      delayMs: 10,
      drainMs: 12 * second,
    },
    {
      upToBytes: Number.POSITIVE_INFINITY,
      chunkBytes: 8 * kilobyte,
      bufferBytes: 64 * kilobyte,
      delayMs: 15,
      drainMs: 15 * second,
    },
  ],
  mostDelayScale: 8,
  completeShownMs: 1.5 * second,
  errorShownMs: 5 * second,
  statusEveryMs: 2 * second,
  anonymousJoinDelayMs: 0.5 * second,
} as const
