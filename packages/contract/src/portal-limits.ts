import { gigabyte, kilobyte, megabyte, minute, second } from './units.ts'

export const portalLimits = {
  /** Digits of a legacy code, and of `?join=` in a link. */
  codeDigits: 6,
  /** Digits of the secret part of a code, which the creator generates and never sends to the server. */
  secretDigits: 4,
  /** The number of wrong codes after which a waiting device creates no further code on its own. */
  maxWrongCodes: 2,
  /** The number of messages with which a creator may answer one joining device. */
  maxAnswersPerJoin: 3,
  /** The maximum length of a device name. */
  deviceNameCharacters: 200,
  /** How long a disconnected device may rejoin its room. */
  graceMs: 10 * minute,
  sweepEveryMs: 5 * second,
  /** The number of signalling messages that a device may send in a burst, and per second after that. */
  signalBurst: 60,
  signalsPerSecond: 20,
  /** The relay between two devices without a direct connection. */
  relay: {
    frameBytes: 128 * kilobyte,
    /** A sender is paused while its peer has this many bytes buffered. */
    maxBufferedBytes: 512 * kilobyte,
    /**
     * If the peers are connected to different nodes: how many bytes of one sender may be in flight between the nodes.
     */
    maxInFlightBytes: 512 * kilobyte,
    openPerAddress: 4,
    /** The daily quota of a pair without an account; an IPv6 /48 counts as one address. */
    anonymousBytesPerDay: 1 * gigabyte,
    /**
     * Shares of the daily bytes: of one account, and of all trial accounts of one network together; of all pairs
     * without an account together, and of these with all trial accounts.
     */
    accountShareOfDay: 0.1,
    anonymousShareOfDay: 0.5,
    freeShareOfDay: 0.75,
    /** Of a pair, both directions together. */
    bytesPerSecond: 16 * megabyte,
    unpairedMs: 30 * second,
  },
} as const

/** Limits of portal rooms that only the server needs; separate, so that no page loads them. */
export const portalRoomLimits = {
  /** Prefixes have two digits up to this number of them, and four beyond it. */
  shortPrefixes: 60,
  /**
   * The number of devices that may join a waiting room per window; further ones get the reply for a room that does not
   * exist.
   */
  joinsPerRoom: { points: 10, windowSeconds: 60 },
  /** How long an empty room waits for a second device. */
  unjoinedMs: 10 * minute,
  /** A node that has been silent for this long is considered down, and its devices disconnected. */
  nodeLeaseMs: 20 * second,
  /** With shared rooms, how long a room without a node is stored. */
  orphanedRoomMs: 15 * minute,
  openRoomsPerAddress: 10,
  /** The same for larger blocks of IPv6 addresses, by prefix length. */
  openRoomsPerBlock: { 56: 20, 48: 60 },
  turnCredentialMs: 10 * minute,
} as const

/** Values of the specification for legacy peers. */
export const legacyPortalLimits = {
  roomTimeoutMs: 30 * second,
  acceptTimeoutMs: 30 * second,
  readyBeforeSendMs: 10 * second,
  readyMs: 30 * second,
  sendRetries: 3,
  maxRetransmits: 3,
  receiveProgressCap: 0.9,
  /** From the smallest files to the largest; each class applies up to its size. */
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
  maxDelayScale: 8,
  completeShownMs: 1.5 * second,
  errorShownMs: 5 * second,
  statusEveryMs: 2 * second,
  anonymousJoinDelayMs: 0.5 * second,
} as const
