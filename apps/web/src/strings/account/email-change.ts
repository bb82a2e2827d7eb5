import { area } from '../area.ts'

export const emailChangeStrings = area('emailChange', {
  heading: 'Email address',
  signInName: 'You sign in with',
  newEmail: 'New email address',
  submit: 'Change Email',
  invalid: 'Enter an email address, such as name@example.com',
  unchanged: 'This is already your email address',
  taken: 'Another account uses this email address',
  done: 'Email address changed. Sign in with the new one from now on.',
  confirmation: (email: string) =>
    `We’ve sent a link to ${email} and one to your current address. Open both: then your address changes.`,
  notChanged: 'The connection was lost before your email address was changed. Try again.',
  failed: 'Couldn’t change your email address. Please try again.',
})
