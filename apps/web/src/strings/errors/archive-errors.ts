import { area } from '../area.ts'
import { describeDownload } from './download-errors.ts'
import { type DescribeError, describeCode } from './message-for.ts'

export const archiveErrorStrings = area('archiveErrors', {
  ARCHIVE_TIMEOUT:
    'Downloading all files took longer than one hour and was stopped. This happens with very large files or slow ' +
    'connections. Try downloading the files individually.',
})

/** Describes an error of the download of all files, or of one file of it. */
export const describeArchive: DescribeError = (error) =>
  describeCode(archiveErrorStrings, error) ?? describeDownload(error)
