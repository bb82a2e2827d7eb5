export const recoveryWords = {
  title: 'Forgot your password?',
  explanation: 'Enter the address of your account. A link for a new password comes by mail.',
  email: 'Email',
  button: 'Send the link',
  busy: 'Sending...',
  sentTitle: 'Check your mail',
  sent: (email: string) => `If there is an account for ${email}, a link is on its way. It works for one hour and once.`,
  failed: 'The link could not be sent. Please try again.',
  back: '← Sign In',
} as const
