import { area } from '../area.ts'

export const errorStrings = area('errors', {
  serverUnreachable: 'Can’t reach the server. Check your connection and try again.',
  signInFirst: 'Please sign in',
  INVALID_RESPONSE: 'Invalid response from server',
  STORAGE_FULL:
    'Your browser doesn’t have enough space for this file. Private windows have little: try again in a normal window, ' +
    'or free up some space.',
  STAGED_FILE_CHANGED: 'The file changed on disk during the download. Try again.',
  DOWNLOAD_CANCELLED: 'Download was cancelled',
  WORKER_STOPPED: 'A background task of this page stopped unexpectedly',
})
