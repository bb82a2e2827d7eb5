import { area } from '../area.ts'

/** The privacy summary must match the formats in `packages/crypto` and what the server stores; change them together. */
export const privacySummaryStrings = area('privacySummary', {
  intro: 'Only what it needs to store your files and delete them on time.',
  limit: 'As with every web app, you trust the code it delivers each time you open it.',
  storedBytes: 'The first bytes stored on the server',
  encrypted: 'Encrypted',
  neverSent: 'Never sent',
  visible: 'Visible',

  contentsAndNames: 'Contents and names',
  keysAndPassword: 'Keys and password',
  sizeTimesAddress: 'Size, times, your address',

  contents: 'Contents',
  contentsHint: 'Encrypted with AES-256-GCM and a unique key for each file before the first byte leaves your device.',
  names: 'File names and types',
  namesHint: 'Encrypted like the contents, and padded to hide their length.',
  messages: 'Messages',
  messagesHint: 'Each message has its own key and is padded to hide its length.',
  keys: 'Keys',
  keysHint:
    'The server stores them encrypted with a key derived from your password. The key in a share link is the part after #, which browsers don’t send.',
  password: 'Password',
  passwordHint: 'Your browser derives a one-way login secret from it and sends only that.',
  sizesAndTimes: 'Size and times',
  sizesAndTimesHint:
    'File sizes, upload and expiry times and download counts; when messages were sent and expire; how many files you uploaded, downloaded, shared and deleted, and when, for 90 days.',
  addresses: 'Your addresses and sign-ins',
  addressesHint:
    'Your email address and the IP address of your device; when you signed in, and with which browser, for 90 days.',
})

export interface PrivacySummaryEntry {
  /** What it is about, such as "Contents". */
  readonly subject: string
  readonly visibility: 'encrypted' | 'neverSent' | 'visible'
}

/** What the server sees, in three lines. */
export function privacySummaryEntries(): readonly PrivacySummaryEntry[] {
  const strings = privacySummaryStrings
  return [
    { subject: strings.contentsAndNames, visibility: 'encrypted' },
    { subject: strings.keysAndPassword, visibility: 'neverSent' },
    { subject: strings.sizeTimesAddress, visibility: 'visible' },
  ]
}

/** What the server sees, with the reasons. */
export function privacySummaryDetails(): readonly (PrivacySummaryEntry & { readonly explanation: string })[] {
  const strings = privacySummaryStrings
  return [
    { subject: strings.contents, visibility: 'encrypted', explanation: strings.contentsHint },
    { subject: strings.names, visibility: 'encrypted', explanation: strings.namesHint },
    { subject: strings.messages, visibility: 'encrypted', explanation: strings.messagesHint },
    { subject: strings.keys, visibility: 'neverSent', explanation: strings.keysHint },
    { subject: strings.password, visibility: 'neverSent', explanation: strings.passwordHint },
    { subject: strings.sizesAndTimes, visibility: 'visible', explanation: strings.sizesAndTimesHint },
    { subject: strings.addresses, visibility: 'visible', explanation: strings.addressesHint },
  ]
}
