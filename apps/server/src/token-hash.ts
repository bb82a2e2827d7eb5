import { createHash } from 'node:crypto'

/**
 * What is kept of a token that its holder alone has: SHA-256 in base64url. Tokens are drawn at random and too long to be
 * guessed, so a slow hash would protect nothing more.
 */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
