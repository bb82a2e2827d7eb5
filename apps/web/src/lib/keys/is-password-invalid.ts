import { ApiError } from '@sallyport/client/errors'

/** True if the server compared the credential and it did not match. */
export const isPasswordInvalid = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PASSWORD_INVALID'
