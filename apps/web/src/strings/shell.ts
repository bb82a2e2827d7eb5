import { area } from './area.ts'

export const shellStrings = area('shell', {
  account: 'your account',
  areas: 'Areas',
  areaNames: { files: 'Files', chat: 'Chat', portal: 'Portal', sessions: 'Sessions' },
  logoToFiles: (product: string) => `${product}, your files`,
  logoToStart: (product: string) => `${product}, start page`,
  logoToSignIn: (product: string) => `${product}, sign in`,
  settings: 'Settings',
  signOut: 'Sign Out',
  theme: 'Theme',
  offline: 'You’re offline. Transfers are paused.',
  backOnline: 'Back online, resuming',
  verified: 'Email Verified Successfully!',
})
