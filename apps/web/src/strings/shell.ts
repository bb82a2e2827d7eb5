import { area } from './area.ts'

export const shellStrings = area('shell', {
  skip: 'Skip to content',
  account: (initials: string) => `${initials}, your account`,
  areas: 'Areas',
  areaNames: { files: 'Files', chat: 'Chat', portal: 'Portal', sessions: 'Sessions' },
  logoToFiles: (product: string) => `${product}, your files`,
  logoToStart: (product: string) => `${product}, start page`,
  logoToSignIn: (product: string) => `${product}, sign in`,
  settings: 'Settings',
  signOut: 'Sign Out',
  theme: 'Theme',
  offline: 'You’re offline. Transfers are paused.',
  serverAway: 'Can’t reach the server. Transfers continue when it is back.',
  waitingToRestore: 'Can’t reach the server. You stay signed in, and this page continues when it is back.',
  loadingScreen: 'Loading…',
  backOnline: 'Back online, resuming',
  verified: 'Email Verified Successfully!',
  accountDeleted: 'Your account has been deleted',
})
