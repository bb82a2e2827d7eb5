/**
 * Every sentence that more than one place must agree on, or that the specification fixes word for word. One constant a
 * screen, so that a page carries only its own.
 */
export const productName = 'Sallyport'
export const serverSeesTitle = 'What the server sees'

export const signInWords = {
  tab: 'Sign In',
  button: 'Sign In',
  busy: 'Signing In...',
  remember: 'Remember this device for 7 days (sliding on activity)',
  done: 'Login successful!',
  failed: 'Login failed',
  refused: 'Invalid email or password',
  missing: 'You must provide either an email or phone number and a password',
  notConfirmed: 'Please check your email and click the verification link before logging in.',
  notEstablished: (reason: string) => `Failed to establish session: ${reason}`,
  expiredTitle: 'Signed out',
  expired: 'Your session has expired. Please log in again.',
  unknownProfile: 'This server asks for a newer way to make keys than this page knows. Reload the page and try again.',
  weakerProfile:
    'This server asks for a weaker way to make keys than this device has used before, so your password was not used.',
  keyStaysHere: 'Your password makes the key. It stays in this tab.',
  noKeys: 'Your keys could not be opened with this password.',
} as const

export const signUpWords = {
  tab: 'Sign Up',
  button: 'Create Account',
  busy: 'Creating Account...',
  failed: 'Registration failed',
  accountFailed: 'Failed to create account',
  passwordTooShort: 'Password must be at least 6 characters',
  done: 'Account created!',
  confirmFirst: 'Account created! Check your email for the link that confirms your address.',
  keepPassword: 'Your password makes your key. Nobody can reset the key, so keep the password safe.',
  haveLicenceKey: 'I have a licence key',
  licenceKey: 'Licence key (optional)',
  plansTitle: 'Pick how much you need to carry.',
  plansIntro: 'Every plan seals files the same way. Plans differ in space.',
  plansFailed: 'The plans could not be loaded',
  matches: 'Matches',
  matchesNotYet: 'Not the same yet',
  backToPlans: '← Plans',
  recommended: 'Recommended',
  startsWithTrial: (days: number) =>
    `Every account starts with the ${days}-day trial. Nothing is charged for it, and no card is asked for.`,
} as const

export const unlockWords = {
  title: 'Unlock your files',
  explanation:
    'You are still signed in, but this tab does not hold your key. Your password makes it again, here in the browser.',
  button: 'Unlock',
  busy: 'Unlocking...',
  wrongPassword: 'This password does not open your key',
  failed: 'Your key could not be fetched. Please try again.',
  otherAccount: 'Sign in as somebody else',
} as const

export const fileWords = {
  area: 'Files',
  missingSignIn: 'Please log in to upload files',
  missingKey: 'No master key found - please log in again',
  uploadFailed: (fileName: string, reason: string) => `Failed to upload ${fileName}: ${reason}`,
  uploadCancelled: 'Upload cancelled by user',
  heading: 'Your Files',
  empty: 'Upload files to see them here',
  unreadableName: 'Unreadable name',
  listFailed: 'Your files could not be listed',
  deleteTitle: 'Delete File',
  deleteQuestion: 'Are you sure you want to delete this file? This action cannot be undone.',
  deleteAllTitle: 'Delete All',
  deleteAllQuestion: 'Are you sure you want to delete all files? This action cannot be undone.',
  copyFailed: 'Could not copy text.',
  copyByHand: 'Tap and hold to copy the link',
  retry: 'Retry',
  deleteFailed: 'The file could not be deleted',
  bytesOfNewest: 'The first bytes of your newest file’s name, as the server holds them',
  bytesOfSample: 'The first bytes of a name sealed in this page, as the server would hold them',
} as const

/** What the holder of a licence calls it. */
export const licenceNames = {
  trial: 'Trial',
  personal: 'Personal',
  vip: 'VIP',
  business: 'Business',
  nonprofit: 'Nonprofit',
} as const

export const shareWords = {
  notFound: 'File not found or expired',
  mayHaveExpired: 'The file may have expired or the link is invalid.',
  keyMissing:
    'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #',
  invalid: 'Invalid share link',
  keyStaysHere: 'The key is the part of the link after #. It never reached the server.',
} as const

export const settingsWords = {
  title: 'Settings',
  filesHeading: 'Files',
  appearance: 'Appearance',
  theme: 'Theme',
  expiration: 'File Expiration Time',
  expirationHint: 'How long a new file stays. Files that are there already keep their time.',
  save: 'Save Settings',
  saving: 'Saving...',
  saved: 'Settings saved successfully!',
  fetchFailed: 'Failed to fetch settings',
  saveFailed: 'Failed to save settings',
} as const

export const shellWords = {
  account: 'Your account',
  settings: 'Settings',
  signOut: 'Sign Out',
  theme: 'Theme',
  offline: 'You’re offline. Transfers are paused.',
  backOnline: 'Back online, resuming',
} as const

export const crashWords = {
  title: 'Something went wrong',
  explanation: 'This screen stopped. Your files are not affected.',
  details: 'Details',
  home: 'Go home',
  copyDetails: 'Copy details',
  reload: 'Reload Page',
  routeTitle: 'Unexpected Application Error!',
} as const

interface LedgerEntry {
  readonly subject: string
  readonly standing: 'sealed' | 'never-sent' | 'visible'
}

/** True to the formats in `packages/crypto` and to what the server stores; change them together. */
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
    explanation: 'How many bytes a file has, when it came, when it expires and how often it was fetched.',
  },
  {
    subject: 'Your addresses',
    standing: 'visible',
    explanation: 'The email address of your account and the network address of your device.',
  },
]

export const ledgerLimit = 'As with every web app, you trust the code that it delivers each time you open it.'
