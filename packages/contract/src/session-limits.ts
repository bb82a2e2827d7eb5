import { hour, minute, second } from './units.ts'

export const sessionLimits = {
  /** The maximum duration of a session. */
  maxDurationMs: 24 * hour,
  /** How often a page confirms that its participant is present. */
  heartbeatEveryMs: 5 * minute,
  /** A session ends when its creator has been silent for this long. */
  creatorSilenceMs: 15 * minute,
  /** A participant counts as present within this time after the last message from their page. */
  presentMs: 45 * second,
  pollEveryMs: 8 * second,
  /** The number of participants who are present at once. */
  participants: 50,
  /** The number that is remembered, present or not. Beyond it the one who has been away longest is forgotten. */
  rememberedParticipants: 500,
  /** How long a participant who is not present any more stays in the list. */
  absentListedMs: 2 * minute,
  /** How long a page may be without a connection before its participant counts as away, such as during a reload. */
  reconnectMs: 4 * second,
  /** Reserved places for further devices of participants of a full session. */
  reservedMemberSlots: 10,
  nameCharacters: 60,
  /** The list of participants is sent at most this often. */
  peersEveryMs: 1 * second,
  openPerAccount: 5,
  /** The number of participants that may be removed from one session: each removal adds a share to its key. */
  removals: 100,
  /** Concurrent uploads into one session. */
  openUploads: 100,
  liveMessages: 5000,
  /** How long a PIN is not reused after its session has ended. */
  pinReuseDelayMs: 24 * hour,
  /** The same if only the creator had joined. */
  unjoinedPinReuseDelayMs: 10 * minute,
  /** How many PINs a page tries when they are taken. */
  pinAttempts: 5,
  offeredMinutes: [1, 5, 10, 30, 60],
  /** The default choice on the page. */
  defaultChoiceMinutes: 10,
  /** The default when a client sends none. */
  defaultMinutes: 60,
  uploadCardClearsAfterMs: 2 * second,
  /** How often a client with a join request polls, and after how long the request expires. */
  joinRequestPollMs: 2 * second,
  joinRequestMs: 10 * minute,
  maxJoinRequests: 20,
  /** The number of join requests from one IPv4 address, and from one IPv6 /48. */
  maxJoinRequestsPerAddress: 15,
  maxJoinRequestsPerBlock: 5,
  /** How long a code that admits a newcomer to a private session is valid. */
  admissionCodeMs: 2 * minute,
  /** How long relayed admission messages are stored. */
  admissionMs: 15 * minute,
} as const
