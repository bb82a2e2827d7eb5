import { area } from '../area.ts'

export const incompleteLinkStrings = area('incompleteLink', {
  title: 'This link is incomplete',
  noKey: '# no key',
})
