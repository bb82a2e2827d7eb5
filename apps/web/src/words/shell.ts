export const shellWords = {
  account: 'Your account',
  settings: 'Settings',
  signOut: 'Sign Out',
  theme: 'Theme',
  offline: 'You’re offline. Transfers are paused.',
  backOnline: 'Back online, resuming',
} as const
