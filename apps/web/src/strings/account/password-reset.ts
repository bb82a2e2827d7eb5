import { area } from '../area.ts'

export const passwordResetStrings = area('passwordReset', {
  title: 'Forgot your password?',
  explanation: 'Enter your email address and we’ll send you a link to reset your password.',
  button: 'Send the link',
  busy: 'Sending...',
  sentTitle: 'Check your email',
  sent: (email: string) =>
    `If there’s an account for ${email}, a link is on its way. It can be used once and expires in one hour.`,
  failed: 'Couldn’t send the link. Please try again.',
  back: '← Sign In',
})
