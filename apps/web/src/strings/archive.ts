import { area } from './area.ts'

export const archiveStrings = area('archive', {
  button: 'Download All',
  allDownload: 'All, download',
  card: 'All files as one archive',
  fileFailed: (fileName: string, reason: string) => `${fileName}: ${reason}`,
  continueWithout: 'Continue without it',
  retryFile: 'Try again',
  savedWithout: (names: string) => `Saved without ${names}`,
})
