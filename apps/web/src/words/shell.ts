export const shellWords = {
  account: 'your account',
  areas: 'Areas',
  settings: 'Settings',
  signOut: 'Sign Out',
  theme: 'Theme',
  offline: 'You’re offline. What could not be sent is tried again when you are back.',
  verified: 'Email Verified Successfully!',
} as const
