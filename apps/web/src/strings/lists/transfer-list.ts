import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const transferListStrings = area('transferList', {
  files: (done: number, total: number) =>
    plural(total, {
      one: `${formatNumber(done)} of 1 file`,
      other: `${formatNumber(done)} of ${formatNumber(total)} files`,
    }),
  failed: (count: number) => plural(count, { one: '1 failed', other: `${formatNumber(count)} failed` }),
  retryFailed: 'Retry failed',
  cancelAll: 'Cancel all',
  moreFailed: (count: number) =>
    plural(count, { one: '1 more upload failed', other: `${formatNumber(count)} more uploads failed` }),
  subjects: {
    uploads: {
      progress: 'All uploads',
      cancelTitle: 'Cancel all uploads?',
      cancelQuestion: (count: number) =>
        plural(count, {
          one: '1 file won’t be uploaded.',
          other: `${formatNumber(count)} files won’t be uploaded. Files that are already uploaded stay.`,
        }),
      proceed: 'Keep uploading',
    },
    downloads: {
      progress: 'All downloads',
      cancelTitle: 'Cancel all downloads?',
      cancelQuestion: (count: number) =>
        plural(count, {
          one: '1 file won’t be saved.',
          other: `${formatNumber(count)} files won’t be saved. Files that are already saved stay.`,
        }),
      proceed: 'Keep downloading',
    },
    transfers: {
      progress: 'All files',
      cancelTitle: 'Cancel all transfers?',
      cancelQuestion: (count: number) =>
        plural(count, {
          one: '1 file won’t be transferred.',
          other: `${formatNumber(count)} files won’t be transferred. Completed transfers stay.`,
        }),
      proceed: 'Keep transferring',
    },
  },
})
