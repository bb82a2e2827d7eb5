import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const uploadQueueStrings = area('uploadQueue', {
  progress: 'All uploads',
  files: (done: number, total: number) =>
    plural(total, {
      one: `${formatNumber(done)} of 1 file`,
      other: `${formatNumber(done)} of ${formatNumber(total)} files`,
    }),
  failed: (count: number) => plural(count, { one: '1 failed', other: `${formatNumber(count)} failed` }),
  retryFailed: 'Retry failed',
  cancelAll: 'Cancel all',
  cancelTitle: 'Cancel all uploads?',
  cancelQuestion: (count: number) =>
    plural(count, {
      one: '1 file won’t be uploaded.',
      other: `${formatNumber(count)} files won’t be uploaded. Files that are already uploaded stay.`,
    }),
  continueUploading: 'Keep uploading',
  moreFailed: (count: number) =>
    plural(count, { one: '1 more upload failed', other: `${formatNumber(count)} more uploads failed` }),
})
