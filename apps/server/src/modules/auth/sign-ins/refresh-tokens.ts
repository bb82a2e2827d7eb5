import { createHmac, randomBytes } from 'node:crypto'

/** Creates the refresh token of a new auth session. */
export const createRefreshToken = (): string => randomBytes(32).toString('base64url')

/** Creates the seed of a token's successor. It is stored next to the token's hash and is useless without the token. */
export const createSuccessorSeed = (): string => randomBytes(32).toString('base64url')

/**
 * Derives the successor of a refresh token. The server can therefore send the successor again when a response was lost,
 * although it stores neither token.
 */
export const successorOf = (token: string, seed: string): string =>
  createHmac('sha256', Buffer.from(seed, 'base64url')).update(token).digest('base64url')
