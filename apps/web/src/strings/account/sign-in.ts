import { area } from '../area.ts'

export const signInStrings = area('signIn', {
  tab: 'Sign In',
  button: 'Sign In',
  busy: 'Signing In...',
  opening: 'Opening your files...',
  remember: 'Remember this device for 7 days (sliding on activity)',
  done: 'Login successful!',
  failed: 'Login failed',
  noSpace: 'Your browser has no space left for this site. Free some space, then try again.',
  invalidCredentials: 'Invalid email or password',
  notConfirmed: 'Please check your email and click the verification link before logging in.',
  notEstablished: (reason: string) => `Failed to establish session: ${reason}`,
  expiredTitle: 'Signed out',
  expired: 'Your session has expired. Please log in again.',
  unknownProfile: 'This server needs a newer version of this page. Reload the page and try again.',
  weakerProfile:
    'This server asks for weaker password protection than this device has used before, so your password wasn’t used.',
  weakerProfileOffered:
    'Check your email and password. If they’re right, this account uses an older protection, or the server ' +
    'asks for one that makes your password easier to guess.',
  useWeakerProfile: 'Sign in with the older protection',
  passwordStaysHere: 'Your password never leaves this device.',
  keysUndecryptable: 'Couldn’t decrypt your keys with this password.',
  identifier: 'Email or phone number',
  forgot: 'Forgot password?',
  resendEmail: 'Resend email',
  emailSent: (secondsLeft: number) => `Sent. You can resend in ${secondsLeft} s.`,
  emailFailed: 'Couldn’t send the email. Please try again.',
})

export const unlockStrings = area('unlock', {
  title: 'Unlock your files',
  explanation: 'You’re signed in, but this tab is locked. Enter your password to decrypt your files.',
  button: 'Unlock',
  busy: 'Unlocking...',
  wrongPassword: 'This password doesn’t unlock your files',
  failed: 'Couldn’t load your key. Please try again.',
  otherAccount: 'Use a different account',
  signedInAs: 'Signed in as',
})

export const staySignedInStrings = area('staySignedIn', {
  ending: (time: string) => `You’ll be signed out at ${time}`,
  stay: 'Stay signed in',
  title: 'Stay signed in',
  explanation:
    'Your session is about to end. Enter your password to stay signed in. Running transfers won’t be interrupted.',
  busy: 'Signing In...',
  failed: 'Couldn’t extend your session. Please try again.',
})
