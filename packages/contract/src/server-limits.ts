// Limits that only the server applies; pages do not load them.
import { maximumChunkBytes, recordOverheadBytes, smallestRecordBytes } from './limits.ts'
import { day, hour, kilobyte, megabyte, minute, second } from './units.ts'

/** The longest chunk that the server accepts, sealed in the smallest records that are allowed. */
export const maximumSealedChunkBytes =
  maximumChunkBytes + (maximumChunkBytes / smallestRecordBytes) * recordOverheadBytes

/** Open sockets. */
export const socketLimits = {
  perAccount: 20,
  /** For visitors; signed-in users are counted by account. */
  perAddress: 50,
  /** The number of upload sockets among those of an account. */
  uploadsPerAccount: 6,
  /** The maximum frame length of a socket with text messages. */
  frameBytes: 64 * kilobyte,
  /** The maximum binary frame length of an upload socket: a whole sealed chunk, which is read as it arrives. */
  uploadFrameBytes: maximumSealedChunkBytes,
  /** The ping interval; a socket that misses two pings in a row is closed. */
  pingEveryMs: 20 * second,
} as const

/** Limits of a whole server process; `docs/decisions/0039-bounds-of-the-process.md` has the reasons. */
export const resourceLimits = {
  /** Bytes queued for one socket above which it is closed, and for all sockets together. */
  queuedBytesPerSocket: 1 * megabyte,
  queuedBytes: 64 * megabyte,
  slowCloseMs: 10 * second,
  /** A socket that reads nothing of its queue for this long is terminated. */
  stalledReadMs: 60 * second,
  /**
   * Bytes of responses that no client has read yet; responses shorter than the second number are not counted, and a
   * stream counts as the third.
   */
  unsentResponseBytes: 64 * megabyte,
  countedResponseBytes: 8 * kilobyte,
  streamedResponseBytes: 40 * kilobyte,
  /** Requests that wait for the response to an earlier one of their connection: of one connection, and of all. */
  pipelinedPerConnection: 8,
  pipelined: 2000,
  /** Upload bytes that are buffered for large writes; above this, writes are small. */
  bufferedUploadBytes: 64 * megabyte,
  /** Open connections, in total and per address; an IPv6 /56 may have twice as many, a /48 four times. */
  connections: 8000,
  connectionsPerAddress: 256,
  /** The time limit of a JSON body; it is extended while this many bytes arrive per period, up to the maximum. */
  jsonBodyMs: 10 * second,
  jsonBodyBytes: 40 * kilobyte,
  jsonBodyEndMs: 60 * second,
  /**
   * The rest of a request that was already answered: how often its progress is checked, how many bytes have to arrive
   * meanwhile, and the maximum time.
   */
  unreadBodyCheckMs: 10 * second,
  unreadBodyBytes: 64 * kilobyte,
  unreadBodyMs: 300 * second,
  unboundedUnreadBodyMs: 2 * second,
  /** Open sockets by kind. */
  sockets: { live: 4000, signalling: 1000, relay: 400, uploads: 300 },
} as const

export const requestLimits = {
  /** The length of a JSON body, unless its call allows another; how deep values nest, and how many a text contains. */
  jsonBytes: 16 * kilobyte,
  jsonDepth: 16,
  jsonValues: 1000,
  headerBytes: 16 * kilobyte,
  /** The time limit of the request headers, and how often it is checked. */
  headerMs: 20 * second,
  headerCheckMs: 5 * second,
  /** How long a connection without a request stays open; longer than the minute of common proxies. */
  keepAliveMs: 72 * second,
} as const

export const tokenLimits = {
  accessTokenSeconds: 3600,
  /** Several tabs may refresh with the same token within this time. */
  refreshOverlapMs: 10 * second,
  /** The parent of the current token is accepted for this long, in case the first response was lost. */
  refreshReuseMs: 60 * second,
  authSessionCacheMs: 5 * second,
  ticketMs: 30 * second,
} as const

/** Slow password hashes of one process. */
export const hashingLimits = {
  concurrent: 2,
  /** The length of each queue; further requests get 503. */
  waiting: 64,
  waitingPerAddress: 32,
  retryAfterSeconds: 3,
} as const

/** Attempts per time window; those with `guesses` protect a secret and are rejected while they cannot be counted. */
export const rateLimits = {
  signInFailuresPerAccount: { points: 10, windowSeconds: 15 * 60, guesses: true },
  /** Wrong passwords for one name from all addresses; above this, unknown addresses get the next limit. */
  signInFailuresPerDay: { points: 50, windowSeconds: 24 * 60 * 60, guesses: true },
  signInFailuresWhileGuessed: { points: 2, windowSeconds: 60 * 60, guesses: true },
  signInFailuresPerAddress: { points: 100, windowSeconds: 15 * 60, guesses: true },
  registrationsPerAddress: { points: 5, windowSeconds: 60 * 60 },
  /** One address of a local network may be shared by many people, or belong to a proxy. */
  registrationsPerLocalAddress: { points: 60, windowSeconds: 5 * 60 },
  preloginPerAddress: { points: 300, windowSeconds: 5 * 60 },
  refreshPerAddress: { points: 300, windowSeconds: 5 * 60 },
  messagesPerAddress: { points: 30, windowSeconds: 5 * 60 },
  /** Recovery emails for one account that one address block may request, and all of them together. */
  recoveriesPerRequester: { points: 3, windowSeconds: 60 * 60 },
  recoveriesPerAccount: { points: 10, windowSeconds: 60 * 60 },
  /** Emails and text messages to one recipient, regardless of the requester. */
  messagesPerRecipient: { points: 20, windowSeconds: 60 * 60 },
  /** Wrong codes of emails and text messages of every kind; above this only the emailed links work. */
  oneTimeCodeFailuresPerAccount: { points: 20, windowSeconds: 24 * 60 * 60, guesses: true },
  /** Emailed links are opened by mail scanners as well as by people. */
  linkStatusPerAddress: { points: 300, windowSeconds: 5 * 60 },
  verificationsPerAddress: { points: 30, windowSeconds: 5 * 60, guesses: true },
  userChangesPerAccount: { points: 30, windowSeconds: 5 * 60 },
  challengesPerAccount: { points: 15, windowSeconds: 60 },
  backupCodeFailuresPerAccount: { points: 5, windowSeconds: 5 * 60, guesses: true },
  keyCommitsPerAccount: { points: 10, windowSeconds: 60 * 60 },
  backupCodeSetsPerAccount: { points: 3, windowSeconds: 60 * 60 },
  anonymousPerAddress: { points: 30, windowSeconds: 60 * 60 },
  /** Many people behind one address hold two warm connections each; more are not needed. */
  warmUpsPerAddress: { points: 1200, windowSeconds: 60 },
  shareMissesPerAddress: { points: 60, windowSeconds: 60 },
  invitationMissesPerAddress: { points: 60, windowSeconds: 60 },
  unknownAccountsPerAddress: { points: 10, windowSeconds: 15 * 60 },
  /** Registration emails to one recipient that one address block may cause, and all of them together. */
  registrationMailsPerRequester: { points: 3, windowSeconds: 60 * 60 },
  registrationMailsPerRecipient: { points: 10, windowSeconds: 60 * 60 },
  portalTicketsPerAddress: { points: 120, windowSeconds: 10 * 60 },
  portalRoomsPerAddress: { points: 60, windowSeconds: 10 * 60 },
  /** Lookups of codes, whether or not a room exists. */
  portalLookupsPerAddress: { points: 30, windowSeconds: 10 * 60 },
  /** The same for larger blocks of IPv6 addresses. */
  portalLookupsPer56: { points: 60, windowSeconds: 10 * 60 },
  portalLookupsPer48: { points: 240, windowSeconds: 10 * 60 },
  /** Five per second, and this many in a burst. */
  chatMessagesPerAccount: { points: 20, windowSeconds: 4 },
  /** Each reply reveals whether a PIN is in use. */
  newSessionsPerAccount: { points: 20, windowSeconds: 60 * 60, guesses: true },
  sessionMessagesPerParticipant: { points: 20, windowSeconds: 4 },
  renamesPerParticipant: { points: 10, windowSeconds: 60 },
  /** Changes of file lifetimes; each is published to every open page of the account. */
  fileChangesPerAccount: { points: 300, windowSeconds: 60 },
  admissionsPerParticipant: { points: 60, windowSeconds: 60 },
  checkoutsPerAccount: { points: 10, windowSeconds: 60 * 60 },
  /** Calls of an account for which the payment provider is asked. */
  paymentCallsPerAccount: { points: 60, windowSeconds: 60 },
  /** Emails with invitations: of one organization, and to one address from all of them. */
  invitationMailsPerOrganization: { points: 50, windowSeconds: 60 * 60 },
  invitationMailsPerRecipient: { points: 5, windowSeconds: 24 * 60 * 60 },
  organizationReadsPerAccount: { points: 120, windowSeconds: 60 },
  organizationChangesPerAccount: { points: 60, windowSeconds: 60 },
  /** Of events whose signature could not be verified. */
  refusedWebhooksPerAddress: { points: 60, windowSeconds: 60 },
  checkoutMissesPerAddress: { points: 60, windowSeconds: 60 },
  adminReadsPerAdmin: { points: 600, windowSeconds: 60 },
  adminChangesPerAdmin: { points: 60, windowSeconds: 60 },
} as const

/** Rate limiter windows that one process counts; a flood of made-up keys cannot fill its memory. */
export const rateLimiterLimits = { windows: 200_000 } as const

/** How guesses at secrets of an account are slowed down and reported; decision 0041 has the arithmetic. */
export const guessingLimits = {
  windowSeconds: 24 * 60 * 60,
  /** The number of failures per day from which on the owner is notified. */
  passwordNoticeAfter: 50,
  codeNoticeAfter: 5,
  mailCodeNoticeAfter: 20,
  /** How long an address from which the owner signed in counts as known. */
  knownOriginMs: 60 * day,
  /** Wrong codes of a second factor: the delay increases with their number. */
  mfaTiers: [
    { points: 5, windowSeconds: 5 * 60, guesses: true },
    { points: 8, windowSeconds: 30 * 60, guesses: true },
    { points: 12, windowSeconds: 2 * 60 * 60, guesses: true },
    { points: 16, windowSeconds: 8 * 60 * 60, guesses: true },
    { points: 20, windowSeconds: 24 * 60 * 60, guesses: true },
  ],
  /** How often an account with an unverified email address is asked to confirm it. */
  addressProofEveryMs: 7 * day,
} as const

export const keyLimits = {
  /** How long after a recovery email was used its auth session may create a new account key. */
  keyResetMs: 1 * hour,
  /** The number of staged wrappings; the oldest is replaced once it is this old. */
  staged: 8,
  stagedForMs: 1 * hour,
  /** How long a replaced wrapped key can be restored, and how many are stored. */
  previousMs: 30 * day,
  previous: 10,
  /** A key that was in use for less is not stored on replacement if there are that many. */
  shortUseMs: 1 * hour,
} as const

export const downloadLimits = {
  /** How long a download that has begun may last after its file has expired. */
  afterExpiryMs: 1 * minute,
  checkExpiryEveryMs: 2 * second,
} as const

export const sweepLimits = {
  everyMs: 30 * second,
  batch: 200,
  orphanAgeMs: 1 * hour,
  /** An orphan pass that would delete more than this share of all objects is aborted. */
  orphanShare: 0.1,
} as const

/** When the time is taken to be wrong, so that nothing is erased. */
export const clockLimits = {
  checkEveryMs: 30 * second,
  /** How far the clock may be from the time that is expected. */
  jumpMs: 1 * hour,
  /** How long a machine may have been off. */
  downtimeMs: 1 * day,
  /** How long after a start the clock may still be set by the network. */
  settleMs: 10 * minute,
  /** How long the readings of machines that are gone are stored. */
  keepReadingsMs: 30 * day,
  logEveryMs: 1 * hour,
} as const

/** How accounts are deleted, step by step. */
export const deletionLimits = {
  everyMs: 2 * second,
  /** How long the node that deletes an account may be silent before another one continues. */
  leaseMs: 10 * second,
  /** The wait after a step has failed, which doubles each time. */
  retryMs: 5 * second,
  maxRetryMs: 1 * hour,
  /** How long a call waits for the deletion before it answers. */
  answerMs: 3 * second,
  batch: 200,
} as const

/** How failed attempts are counted by day and network. */
export const failedAttemptLimits = {
  flushMs: 1 * second,
  /** Networks that one node counts separately on one day. */
  networksPerDay: 200,
  retentionDays: 90,
} as const

/** How the activity of accounts is buffered before it is stored. */
export const activityLogLimits = {
  flushMs: 1 * second,
  /** Equal actions of an account within this time are one entry. */
  mergeMs: 10 * minute,
  /** Entries in memory: of one account, and of all. */
  pendingPerAccount: 50,
  pending: 10_000,
  /** How many entries one transaction stores. */
  batch: 100,
} as const

/** The size of one list response, and how many one caller may request concurrently. */
export const listLimits = {
  pageBytes: 1 * megabyte,
  pageMessages: 500,
  pageAdmissions: 200,
  /** Lists are read one at a time per account or participant; this many requests may wait for that, for this long. */
  waiting: 9,
  waitMs: 15 * second,
  /**
   * Of all lists together: about a fifth of the time of one processor. A quarter of a second's worth is allowed as a
   * burst.
   */
  bytesPerSecond: 16 * megabyte,
  concurrentReads: 2,
  waitingTotal: 1000,
} as const

/** How PINs are protected from guessing; `docs/decisions/0038-one-budget-of-wrong-pins.md` has the arithmetic. */
export const pinLimits = {
  /**
   * Wrong PINs of one source in 24 hours: `failures` lock it, `answered` is how many are answered as wrong, and
   * `answeredFreely` how many while most of the day's repeats are used up.
   */
  sources: {
    /** An IPv4 address, or 64 bits of IPv6. */
    address: { failures: 10, answered: 10, answeredFreely: 4 },
    network56: { failures: 20, answered: 16, answeredFreely: 8 },
    network48: { failures: 40, answered: 20, answeredFreely: 12 },
    account: { failures: 10, answered: 10, answeredFreely: 4 },
  },
  /** The first lock, which doubles each time. */
  minLockMs: 10 * minute,
  maxLockMs: 60 * minute,
  /** Wrong PINs of an address for one existing session, and the first lock after them. */
  failuresPerSession: 10,
  sessionLockMs: 15 * minute,
  /** Portal rooms that may be tried from a block before the outcome of the first codes is known. */
  proofsPerAddress: { points: 10, windowSeconds: 10, guesses: true },
  /** Wrong PINs of all unknown sources together in 24 hours; from here on each attempt requires proof of work. */
  workFromFailures: 64,
  /** The maximum number that is answered; from here on the PIN alone admits no one. */
  answeredFailures: 88,
  /** How many of them may come from sources that have failed before. */
  answeredRepeats: 24,
  /** Attempts of an address while right and wrong PINs get the same reply. */
  concealedPerAddress: { points: 30, windowSeconds: 60 * 60, guesses: true },
  workMs: 2 * minute,
} as const

/** Tasks that wait for a mutex with the same key, per node. */
export const mutexLimits = {
  waiting: 256,
  /** Of one address, and of one IPv6 /48 among the PINs of unknown sources. */
  waitingPerOwner: 64,
  retryAfterSeconds: 2,
} as const

/** How often a page is notified that the live channel is open: more often than a silent channel leads to polling. */
export const liveLimits = {
  aliveEveryMs: 7 * second,
  /** With jitter, an auth session that ended without a notification loses its sockets within five seconds. */
  checkEveryMs: 4 * second,
} as const
