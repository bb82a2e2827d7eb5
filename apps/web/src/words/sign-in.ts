export const signInWords = {
  tab: 'Sign In',
  button: 'Sign In',
  busy: 'Signing In...',
  remember: 'Remember this device for 7 days (sliding on activity)',
  done: 'Login successful!',
  failed: 'Login failed',
  refused: 'Invalid email or password',
  notConfirmed: 'Please check your email and click the verification link before logging in.',
  notEstablished: (reason: string) => `Failed to establish session: ${reason}`,
  expiredTitle: 'Signed out',
  expired: 'Your session has expired. Please log in again.',
  unknownProfile: 'This server asks for a newer way to make keys than this page knows. Reload the page and try again.',
  weakerProfile:
    'This server asks for a weaker way to make keys than this device has used before, so your password was not used.',
  weakerOffered:
    'Check your email and password. If they are right, this account was made with an older protection, or the server ' +
    'asks for one that makes your password easier to guess.',
  useWeaker: 'Sign in with the older protection',
  keyStaysHere: 'Your password makes the key. It stays in this tab.',
  noKeys: 'Your keys could not be opened with this password.',
  identifier: 'Email or phone number',
  forgot: 'Forgot password?',
  sendMailAgain: 'Send the mail again',
  mailSent: (secondsLeft: number) => `Sent. You can ask again in ${secondsLeft} s.`,
  mailFailed: 'The mail could not be sent. Please try again.',
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

export const stayWords = {
  ending: (time: string) => `Signing out at ${time} to protect your keys`,
  stay: 'Stay signed in',
  title: 'Stay signed in',
  explanation: 'This sign-in has had its time. Your password begins another; what is under way here goes on.',
  password: 'Password',
  cancel: 'Cancel',
  busy: 'Signing In...',
  failed: 'The sign-in could not be prolonged. Please try again.',
} as const
