import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const adminMaintenanceStrings = area('adminMaintenance', {
  heading: 'Cleanup',
  text: 'The server does this by itself every few minutes. Here it is done at once.',
  types: {
    expired: {
      title: 'Expired',
      text: 'Files, messages and sessions whose time is over, and uploads that were abandoned a day ago.',
      question: 'Remove expired files now?',
      consequence: 'Nobody can open them any more. Their rows and their bytes are removed.',
    },
    orphaned: {
      title: 'Orphaned',
      text: 'Stored bytes that belong to no file, such as a crash leaves them, and that are older than an hour.',
      question: 'Remove orphaned bytes now?',
      consequence:
        'If they are more than a tenth of what is stored, none is removed, because the database may be wrong.',
    },
    all: {
      title: 'Both',
      text: 'First what has expired, then what is orphaned.',
      question: 'Remove both now?',
      consequence: 'This cannot be undone.',
    },
  },
  cleanUp: 'Clean up',
  cleanUpOf: (title: string) => `Clean up: ${title}`,
  files: (count: number, size: string) =>
    plural(count, { one: `1 file (${size})`, other: `${formatNumber(count)} files (${size})` }),
  entries: (count: number) => plural(count, { one: '1 other entry', other: `${formatNumber(count)} other entries` }),
  progress: (files: string) => `Cleaning up... ${files} removed so far`,
  total: (files: string, entries: string) => `Removed: ${files} and ${entries}.`,
  stop: 'Stop',
  stopped: (files: string) => `Stopped. Removed before: ${files}.`,
  failed: 'Cleanup failed',

  clockJump: (actual: string, expected: string) =>
    `The server’s clock says ${actual}, but it should be about ${expected}. Nothing is deleted until the clock is right again or you confirm it.`,
  confirmClock: 'Confirm time',
  clockQuestion: (actual: string) => `Is it ${actual}?`,
  clockConsequence:
    'Everything that has expired by that time is deleted for good. If the clock is wrong, set it instead.',
  confirming: 'Confirming...',
  clockFailed: 'The time could not be confirmed',
})
