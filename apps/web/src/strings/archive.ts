import { area } from './area.ts'

export const archiveStrings = area('archive', {
  button: 'Download All',
  allDownload: 'All, download',
  card: 'All files as one archive',
  fileFailed: (fileName: string, reason: string) => `${fileName}: ${reason}`,
  continueWithout: 'Continue without it',
  retryFile: 'Try again',
  savedWithout: (names: string) => `Saved without ${names}`,
  inMemory:
    'Your browser doesn’t allow saving to disk here, so the file is held in memory while it downloads. Very large files may fail.',
})
