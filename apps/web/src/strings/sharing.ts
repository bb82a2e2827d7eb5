import { area } from './area.ts'

export const shareStrings = area('share', {
  mayHaveExpired: 'The file may have expired or the link is invalid.',
  uploadAgain: 'Ask the sender to upload it again.',
  usedUp: 'This link has reached its download limit.',
  tryAgain: 'Try again',
  incompleteHint: 'Ask the sender for the full link, or paste the whole link into the address bar.',
  loading: 'Loading',
  loadingHint: 'Finding the file for this link',
  download: 'Download',
  downloadHint: 'No account needed. The file is decrypted in your browser.',
  saving: 'Saving on this device',
  waitingForServer: 'Waiting for the server',
  receiving: 'Downloading and decrypting in your browser',
  savingFile: (name: string) => `Saving ${name}`,
  downloadingFile: (name: string) => `Downloading ${name}`,
  percent: (percent: number) => `${percent} percent`,
  cancel: 'Cancel',
  complete: 'Complete',
  saved: 'Saved to your downloads',
  downloadAgain: 'Download again',
  keyNotSent: 'The key is the part of the link after\u00a0#. It’s never sent to the server.',
  keySent:
    'The key is the part of the link after\u00a0#. In this link the # was written as %23, so it was sent to the server.',
})
