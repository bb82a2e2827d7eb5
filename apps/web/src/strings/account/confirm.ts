import { area } from '../area.ts'

export const confirmStrings = area('confirm', {
  verifying: 'Verifying your email...',
  verifyingHint: 'This takes a moment.',
  doneTitle: 'Email verified',
  done: 'Your email is confirmed. Taking you to sign-in…',
  changedTitle: 'Email address changed',
  changed: 'From now on, sign in with your new address. Taking you to sign-in…',
  halfChangedTitle: 'One more step',
  halfChanged: 'Now open the link we sent to your other address. Your address changes once both are confirmed.',
  goNow: 'Go now',
  unansweredTitle: 'Couldn’t verify your email yet',
  failedTitle: 'Email verification failed',
  invalidLink: 'Invalid verification link. Open the link from the email again, or request a new one.',
  urlError: (description: string) => `URL Error: ${description}`,
  expired: 'This link has expired or has already been used. If you’ve already confirmed your email, just sign in.',
  toLogin: 'Go to Login',
  newLink: 'Send a new link',
  sentIfNeeded: (secondsLeft: number) =>
    `If this email still has to be confirmed, a link is on its way. You can resend in ${secondsLeft} s.`,
  email: 'Email',
  tryAgain: 'Try again',
})
