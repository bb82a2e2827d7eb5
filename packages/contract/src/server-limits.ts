// Limits that only the server applies: pages do not load them.
import { maximumSealedChunkBytes } from './limits.ts'
import { day, hour, kilobyte, megabyte, minute, second } from './units.ts'

/** Sockets, counted while they are open. */
export const socketLimits = {
  perAccount: 20,
  /** Of visitors; people who are signed in are counted by their accounts. */
  perAddress: 50,
  /** Of those of an account, how many may carry uploads. */
  uploadsPerAccount: 6,
  /** The longest frame of a socket that carries words. */
  frameBytes: 64 * kilobyte,
  /** The longest binary frame of one that carries an upload, a whole sealed chunk; it is read as it arrives. */
  uploadFrameBytes: maximumSealedChunkBytes,
  /** What the other side has not missed twice in a row, it has heard. */
  pingEveryMs: 20 * second,
} as const

/** Bounds of a whole server process; `docs/decisions/0039-bounds-of-the-process.md` has the reasons. */
export const resourceLimits = {
  /** Bytes queued toward one socket, above which it is closed, and toward all of them. */
  queuedBytesPerSocket: 1 * megabyte,
  queuedBytes: 64 * megabyte,
  slowCloseMs: 10 * second,
  /** A socket that takes nothing of what is queued for it is cut after this time. */
  stalledReadMs: 60 * second,
  /** Bytes of answers that no reader has taken yet; shorter answers than the second number are not counted. */
  unsentAnswerBytes: 64 * megabyte,
  countedAnswerBytes: 8 * kilobyte,
  /** Bytes of uploads gathered to large writes; over it, they are written in small ones. */
  gatheredBytes: 64 * megabyte,
  /** Open connections, and those of one address; a /56 of IPv6 holds twice as many, a /48 four times. */
  connections: 8000,
  connectionsPerAddress: 256,
  /** A body of JSON arrives in this time, or later while so many bytes arrive in each such period, until the end. */
  jsonBodyMs: 10 * second,
  jsonBodyBytes: 40 * kilobyte,
  jsonBodyEndMs: 60 * second,
  /** What still comes of a request that was answered: how often it is looked at, how much has to move meanwhile, and its end. */
  leftoverCheckMs: 10 * second,
  leftoverBytes: 64 * kilobyte,
  leftoverMs: 300 * second,
  unboundedLeftoverMs: 2 * second,
  /** Open sockets of a kind. */
  sockets: { live: 4000, signalling: 1000, relay: 400, uploads: 300 },
} as const

export const requestLimits = {
  jsonBytes: 1 * megabyte,
  headerBytes: 16 * kilobyte,
  /** How long a connection may take to say what it wants, and how often that is looked at. */
  headerMs: 20 * second,
  headerCheckMs: 5 * second,
} as const

export const tokenLimits = {
  accessTokenSeconds: 3600,
  /** Several tabs may refresh by the same token within this time. */
  refreshOverlapMs: 10 * second,
  /** The parent of the current token is answered for this long, in case the first answer was lost. */
  refreshReuseMs: 60 * second,
  signInCacheMs: 5 * second,
  ticketMs: 30 * second,
} as const

/** Slow password hashes of one process. */
export const hashingLimits = {
  atOnce: 2,
  /** In each queue; the next one is answered with 503. */
  waiting: 64,
  waitingPerAddress: 32,
  retryAfterSeconds: 3,
} as const

/** Attempts allowed in a time window; some of them guess at a secret, and are not allowed where they cannot be counted. */
export const rateLimits = {
  signInFailuresPerAccount: { points: 10, windowSeconds: 15 * 60, guesses: true },
  /** Wrong passwords for one name from all addresses, past which unknown addresses get the next limit. */
  signInFailuresPerDay: { points: 50, windowSeconds: 24 * 60 * 60, guesses: true },
  signInFailuresWhileGuessed: { points: 2, windowSeconds: 60 * 60, guesses: true },
  signInFailuresPerAddress: { points: 100, windowSeconds: 15 * 60, guesses: true },
  registrationsPerAddress: { points: 5, windowSeconds: 60 * 60 },
  /** One address of a local network may stand for many people, or for a proxy. */
  registrationsPerLocalAddress: { points: 60, windowSeconds: 5 * 60 },
  preloginPerAddress: { points: 300, windowSeconds: 5 * 60 },
  refreshPerAddress: { points: 300, windowSeconds: 5 * 60 },
  messagesPerAddress: { points: 30, windowSeconds: 5 * 60 },
  /** Recovery mails for one account that one address block may request, and those that all of them may. */
  recoveriesPerRequester: { points: 3, windowSeconds: 60 * 60 },
  recoveriesPerAccount: { points: 10, windowSeconds: 60 * 60 },
  /** Mails and text messages to one recipient, whoever requests them. */
  messagesPerRecipient: { points: 20, windowSeconds: 60 * 60 },
  /** Wrong codes out of mails and text messages, of every kind; past it only the mailed links work. */
  oneTimeCodeFailuresPerAccount: { points: 20, windowSeconds: 24 * 60 * 60, guesses: true },
  verificationsPerAddress: { points: 30, windowSeconds: 5 * 60, guesses: true },
  userChangesPerAccount: { points: 30, windowSeconds: 5 * 60 },
  challengesPerAccount: { points: 15, windowSeconds: 60 },
  backupCodeFailuresPerAccount: { points: 5, windowSeconds: 5 * 60, guesses: true },
  keyCommitsPerAccount: { points: 10, windowSeconds: 60 * 60 },
  backupCodeSetsPerAccount: { points: 3, windowSeconds: 60 * 60 },
  anonymousPerAddress: { points: 30, windowSeconds: 60 * 60 },
  /** Many people behind one address keep two connections each warm; nobody needs more. */
  warmUpsPerAddress: { points: 1200, windowSeconds: 60 },
  shareMissesPerAddress: { points: 60, windowSeconds: 60 },
  invitationMissesPerAddress: { points: 60, windowSeconds: 60 },
  unknownAccountsPerAddress: { points: 10, windowSeconds: 15 * 60 },
  /** Registration mails to one recipient that one address block may cause, and those that all of them may. */
  registrationMailsPerRequester: { points: 3, windowSeconds: 60 * 60 },
  registrationMailsPerRecipient: { points: 10, windowSeconds: 60 * 60 },
  portalTicketsPerAddress: { points: 120, windowSeconds: 10 * 60 },
  portalRoomsPerAddress: { points: 60, windowSeconds: 10 * 60 },
  /** Asking what a code leads to, whether or not it leads anywhere. */
  portalLookupsPerAddress: { points: 30, windowSeconds: 10 * 60 },
  /** The same for wider blocks of IPv6 addresses. */
  portalLookupsPer56: { points: 60, windowSeconds: 10 * 60 },
  portalLookupsPer48: { points: 240, windowSeconds: 10 * 60 },
  /** Five a second, and so many at once. */
  chatMessagesPerAccount: { points: 20, windowSeconds: 4 },
  /** Each one tells whether a PIN is in use. */
  newSessionsPerAccount: { points: 20, windowSeconds: 60 * 60, guesses: true },
  sessionMessagesPerParticipant: { points: 20, windowSeconds: 4 },
  renamesPerParticipant: { points: 10, windowSeconds: 60 },
  /** Changes of how long files live, of which each open page of the account hears. */
  fileChangesPerAccount: { points: 300, windowSeconds: 60 },
  admissionsPerParticipant: { points: 60, windowSeconds: 60 },
} as const

/** Windows of attempts that one process counts; a flood that invents keys cannot fill its memory. */
export const attemptLimits = { windows: 200_000 } as const

/** How guesses at secrets of an account are slowed down and reported; decision 0041 has the arithmetic. */
export const guessingLimits = {
  windowSeconds: 24 * 60 * 60,
  /** Failures a day from which on the owner gets a notice. */
  passwordNoticeAfter: 50,
  codeNoticeAfter: 5,
  mailCodeNoticeAfter: 20,
  /** For so long an address from which the owner signed in counts as known. */
  knownOriginMs: 60 * day,
  /** Wrong codes of a second factor: the wait grows with their number. */
  secondFactorTiers: [
    { points: 5, windowSeconds: 5 * 60, guesses: true },
    { points: 8, windowSeconds: 30 * 60, guesses: true },
    { points: 12, windowSeconds: 2 * 60 * 60, guesses: true },
    { points: 16, windowSeconds: 8 * 60 * 60, guesses: true },
    { points: 20, windowSeconds: 24 * 60 * 60, guesses: true },
  ],
  /** How often an account whose address no mail has shown is asked to confirm it. */
  addressProofEveryMs: 7 * day,
} as const

export const keyLimits = {
  /** For this long after a recovery mail was used, its sign-in may start again with a new account key. */
  startAgainMs: 1 * hour,
  /** How many wrappings may lie beside the present one; the oldest makes room once it is this old. */
  staged: 8,
  stagedForMs: 1 * hour,
  /** A wrapped key that was replaced can be restored for so long, and so many of them are stored. */
  previousMs: 30 * day,
  previous: 10,
  /** A key in use for less is not stored when it is replaced and there are so many. */
  shortUseMs: 1 * hour,
} as const

export const sweepLimits = {
  everyMs: 30 * second,
  batch: 200,
  orphanAgeMs: 1 * hour,
  /** An orphan pass that would remove more than this share of all objects refuses to. */
  orphanShare: 0.1,
  clockJumpMs: 1 * hour,
} as const

/** How much of a list one answer carries, and how many answers one caller may ask for at once. */
export const listLimits = {
  pageBytes: 1 * megabyte,
  pageMessages: 500,
  pageAdmissions: 200,
  /** Lists are read one at a time for each account or participant; so many requests may wait for that, for so long. */
  waiting: 9,
  waitMs: 15 * second,
  /** Of all lists together: about a fifth of a processor's time. A quarter of a second's worth passes at once. */
  bytesPerSecond: 16 * megabyte,
  readAtOnce: 2,
  waitingInAll: 1000,
} as const

/** How PINs are kept from being guessed; `docs/decisions/0038-one-budget-of-wrong-pins.md` has the arithmetic. */
export const pinLimits = {
  /**
   * Wrong PINs of one source, counted for 24 hours: `failures` lock it, `answered` is how many are answered as wrong, and
   * `answeredFreely` how many while most of the day's repeats are used up.
   */
  sources: {
    /** An IPv4 address, or 64 bits of IPv6. */
    address: { failures: 10, answered: 10, answeredFreely: 4 },
    network56: { failures: 20, answered: 16, answeredFreely: 8 },
    network48: { failures: 40, answered: 20, answeredFreely: 12 },
    account: { failures: 10, answered: 10, answeredFreely: 4 },
  },
  /** The first wait, which doubles each time. */
  shortestLockMs: 10 * minute,
  longestLockMs: 60 * minute,
  /** Wrong PINs of an address for one known session, and the first wait then. */
  failuresPerSession: 10,
  sessionLockMs: 15 * minute,
  /** Rooms of portals that may be tried from a block before it is known whether the first codes were wrong. */
  proofsPerAddress: { points: 10, windowSeconds: 10, guesses: true },
  /** Wrong PINs of all strangers together in 24 hours: from here on each try costs work. */
  workFromFailures: 64,
  /** No more than these are answered; from here on the PIN alone lets nobody in. */
  answeredFailures: 88,
  /** How many of them may come from sources that have failed before. */
  answeredRepeats: 24,
  /** Tries an address may make while right and wrong PINs are answered alike. */
  concealedPerAddress: { points: 30, windowSeconds: 60 * 60, guesses: true },
  workMs: 2 * minute,
} as const

/** Steps that wait for others under the same key, at each node. */
export const turnLimits = {
  waiting: 256,
  /** Of one address, and of one IPv6 /48 among the PINs of strangers. */
  waitingPerOwner: 64,
  retryAfterSeconds: 2,
} as const

/** How often an open page is told that the live channel stands: more often than any list is asked for in its silence. */
export const liveLimits = {
  aliveEveryMs: 7 * second,
  /** With what is added by chance, a sign-in that ended unheard loses its sockets within five seconds. */
  checkEveryMs: 4 * second,
} as const
