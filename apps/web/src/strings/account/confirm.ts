import { area } from '../area.ts'

export const confirmStrings = area('confirm', {
  verifying: 'Verifying your email...',
  verifyingHint: 'This takes a moment.',
  doneTitle: 'Email verified',
  done: 'Your email is confirmed. Taking you to sign-in…',
  goNow: 'Go now',
  failedTitle: 'Email verification failed',
  invalidLink: 'Invalid verification link. Open the link from the email again, or request a new one.',
  urlError: (description: string) => `URL Error: ${description}`,
  expired: 'This link has expired or has already been used. If you’ve already confirmed your email, just sign in.',
  toLogin: 'Go to Login',
  newLink: 'Send a new link',
  email: 'Email',
  tryAgain: 'Try again',
})
