import { area } from '../area.ts'

export const errorStrings = area('errors', {
  serverUnreachable: 'Can’t reach the server. Check your connection and try again.',
  signInFirst: 'Please sign in',
  INVALID_RESPONSE: 'Invalid response from server',
})
