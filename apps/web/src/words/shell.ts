export const shellWords = {
  account: 'your account',
  areas: 'Areas',
  settings: 'Settings',
  signOut: 'Sign Out',
  theme: 'Theme',
  offline: 'You’re offline. Transfers are paused.',
  backOnline: 'Back online, resuming',
  verified: 'Email Verified Successfully!',
} as const
