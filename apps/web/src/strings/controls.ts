import { area } from './area.ts'

/** The labels of buttons and fields that several screens share. */
export const controlStrings = area('controls', {
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  dismiss: 'Dismiss',
  retry: 'Retry',
  copied: 'Copied!',
  copiedSubject: (subject: string) => `Copied: ${subject}`,
  email: 'Email',
  password: 'Password',
  hide: 'Hide',
  show: 'Show',
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  notifications: 'Notifications',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  unnamedFile: 'Unnamed file',
})
