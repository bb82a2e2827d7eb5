/** This ledger must be true to the formats in `packages/crypto` and to what the server stores; change them together. */
export const serverSeesTitle = 'What the server sees'

interface LedgerEntry {
  readonly subject: string
  readonly standing: 'sealed' | 'never-sent' | 'visible'
}

export const ledgerIntro = 'Only what it needs to hold the bytes and let them expire.'

export const ledgerEntries: readonly LedgerEntry[] = [
  { subject: 'Contents and names', standing: 'sealed' },
  { subject: 'Keys and password', standing: 'never-sent' },
  { subject: 'Size, times, your address', standing: 'visible' },
]

export const ledgerDetails: readonly (LedgerEntry & { readonly explanation: string })[] = [
  {
    subject: 'Contents',
    standing: 'sealed',
    explanation: 'Encrypted with AES-256-GCM under a key of the file’s own before the first byte leaves your device.',
  },
  {
    subject: 'File names and types',
    standing: 'sealed',
    explanation: 'Sealed like the contents, and padded so that their length says little.',
  },
  {
    subject: 'Messages',
    standing: 'sealed',
    explanation: 'Each under a key of its own, and padded so that its length says little.',
  },
  {
    subject: 'Keys',
    standing: 'never-sent',
    explanation:
      'The server keeps them wrapped under a key made from your password. The key in a share link is the part after #, which browsers do not send.',
  },
  {
    subject: 'Password',
    standing: 'never-sent',
    explanation: 'Your browser turns it into a login secret that cannot be turned back.',
  },
  {
    subject: 'Size and times',
    standing: 'visible',
    explanation:
      'How many bytes a file has, when it came, when it expires and how often it was fetched; when a message came and expires.',
  },
  {
    subject: 'Your addresses',
    standing: 'visible',
    explanation: 'The email address of your account and the network address of your device.',
  },
]

export const ledgerLimit = 'As with every web app, you trust the code that it delivers each time you open it.'
