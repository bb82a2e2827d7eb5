import { createHash } from 'node:crypto'

/**
 * SHA-256 of a token in base64url, stored in place of the token. Tokens are random and long enough that a slow hash
 * would add no protection.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
