import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

const countFiles = (count: number): string =>
  plural(count, { one: `${formatNumber(count)} file`, other: `${formatNumber(count)} files` })

const countEntries = (count: number): string =>
  plural(count, { one: `${formatNumber(count)} other entry`, other: `${formatNumber(count)} other entries` })

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
  running: 'Cleaning up...',
  progress: (files: number, size: string) => `${countFiles(files)} (${size}) removed so far`,
  total: (files: number, size: string, entries: number) =>
    `Removed: ${countFiles(files)} (${size}) and ${countEntries(entries)}.`,
  stop: 'Stop',
  stopped: (files: number, size: string) => `Stopped. Removed before: ${countFiles(files)} (${size}).`,
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
