import { area } from './area.ts'

export const mediaStrings = area('media', {
  unreadable: 'Your browser can’t display this file. You can still download it.',
  failed: 'Couldn’t open the file',
  close: 'Close',
  previous: 'Previous file',
  next: 'Next file',
  save: 'Save',
  share: 'Share',
  position: (index: number, count: number) => `${index} of ${count}`,
})
