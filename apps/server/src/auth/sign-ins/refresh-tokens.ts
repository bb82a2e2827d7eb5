import { createHmac, randomBytes } from 'node:crypto'

/** A refresh token for a new sign-in. */
export const firstRefreshToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of a refresh token. */
/** What a token's successor is made with. It is kept beside the hash and opens nothing without the token itself. */
export const successorSeed = (): string => randomBytes(32).toString('base64url')

/**
 * The token that follows another one. Because it follows from both, whoever holds a token can be told its successor
 * again when an answer was lost, though the server keeps neither of them.
 */
export const successorOf = (token: string, seed: string): string =>
  createHmac('sha256', Buffer.from(seed, 'base64url')).update(token).digest('base64url')
