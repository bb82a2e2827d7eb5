export const mediaWords = {
  unreadable: 'This browser cannot show this file. It can still be saved.',
  failed: 'The file could not be opened',
  close: 'Close',
  previous: 'Previous file',
  next: 'Next file',
  save: 'Save',
  share: 'Share',
  position: (place: number, count: number) => `${place} of ${count}`,
} as const
