/** Words of identifiers, as they stand after camel case is split; a phrase is a sequence of words. */
export const bannedInNames: readonly string[] = [
  'anew',
  'arriving',
  'beside',
  'broken off',
  'carrier',
  'departing',
  'desk',
  'door',
  'entrance',
  'facts',
  'gate',
  'go on',
  'gone on',
  'greet',
  'greeted',
  'heard',
  'imprint',
  'keeper',
  'kept',
  'knock',
  'knocks',
  'lane',
  'lanes',
  'ledger',
  'left out',
  'look at',
  'motif',
  'motifs',
  'parcel',
  'passage',
  'passages',
  'patience',
  'post office',
  'refusal',
  'refuse',
  'reunion',
  'shelf',
  'somebody',
  'standing',
  'take back',
  'taken up',
  'told',
  'trouble',
  'troubles',
  'whoever',
  'wish',
  'wishes',
]

/** Phrases of comments, titles, sentences on the screen and documents. */
export const bannedInProse: readonly string[] = [
  ...['anew', 'whoever', 'somebody', 'whosoever', 'lest', 'hence', 'thereof', 'wherein'],
  ...['is told', 'was told', 'are told', 'were told', 'tells of', 'told of', 'heard of', 'hears of'],
  ...[
    'goes on',
    'go on',
    'went on',
    'gone on',
    'taken up',
    'takes up',
    'take up',
    'takes back',
    'taken back',
    'given back',
  ],
  ...[
    'stands in',
    'stands for',
    'stand beside',
    'stands beside',
    'comes about',
    'comes to its end',
    'so many',
    'lies in',
  ],
  ...['letter', 'lane', 'lanes', 'knock', 'knocks', 'knocked', 'wish', 'wishes', 'standing'],
  ...[
    'a way back',
    'second step',
    'unseal',
    'unseals',
    'unsealed',
    'unsealing',
    'refusal',
    'refusals',
    'post office',
    'parcel',
  ],
  ...['trouble', 'troubles', 'motif', 'ledger', 'imprint', 'under way', 'beside'],
]

/** Names that say nothing of what a type belongs to. */
export const bannedTypeNames: readonly string[] = [
  ...['Deps', 'Facts', 'Given', 'Item', 'Items', 'Kept', 'Line', 'Means', 'Parts', 'Place', 'Room', 'Side'],
  ...['Way', 'Ways', 'Wish', 'Wishes', 'Word', 'Words'],
]

interface Allowed {
  /** The path begins with this. */
  readonly path: string
  readonly phrase: string
  readonly count: number
  readonly reason: string
}

/**
 * Fields of messages, requests and stored records: the protocol and older pages fix them, and code that handles one calls
 * it the same.
 */
export const protocolNames: ReadonlySet<string> = new Set(['knock', 'knockId', 'knocks', 'seat', 'session_knocks'])

/** What may stay, at most so often. */
export const allowed: readonly Allowed[] = [
  { path: 'apps/web/src/components/brand/gate-illustrations.tsx', phrase: 'gate', count: 4, reason: 'draws gates' },
  { path: 'apps/web/src/features/portals/gateway.tsx', phrase: 'gate', count: 1, reason: 'draws a gate' },
  { path: 'bench/lib/options.ts', phrase: 'patience', count: 1, reason: 'an option of the command line' },
  { path: 'docs/formats.md', phrase: 'lane', count: 1, reason: 'a parameter of Argon2id' },
  { path: 'docs/formats.md', phrase: 'knock', count: 1, reason: 'the type of a message' },
]
