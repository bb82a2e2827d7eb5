import { ApiError } from '@sallyport/client/errors'
import { area } from '../area.ts'
import { type DescribeError, describeCode } from './message-for.ts'

export const shareErrorStrings = area('shareErrors', {
  'get-key': (status: number) => `Failed to get encrypted file key: ${status}`,
  create: (status: number) => `Failed to create zero-knowledge share link: ${status}`,
  'get-address': (status: number) => `Failed to generate share link: ${status}`,
  tooMany: 'This file has too many links. Stop sharing it, then create a new link.',
  NO_KEY_TO_SHARE: 'No encrypted file key available for sharing',
  SHARE_ADDRESS_INVALID:
    'The server sent an address that isn’t its own, so no link was created. Contact the administrator of this server.',
})

/** Describes an error of sharing an own file. */
export const describeShare: DescribeError = (error) => {
  if (!(error instanceof ApiError && error.shareStep)) return describeCode(shareErrorStrings, error)
  if (error.code === 'TOO_MANY_SHARES') return shareErrorStrings.tooMany
  return shareErrorStrings[error.shareStep](error.status)
}
