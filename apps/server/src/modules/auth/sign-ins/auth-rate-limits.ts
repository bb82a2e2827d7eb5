import { rateLimits } from '@sallyport/contract/server-limits'
import { formatWait } from '../../../format-wait.ts'
import { isLocalBlock } from '../../../platform/http/address.ts'
import type { RateLimit, RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import { authError } from '../protocol/auth-error.ts'
import { identifierValue } from '../users/new-user.ts'
import type { Identifier } from '../users/users.store.ts'
import { blocksOf, countAll } from './limit-tiers.ts'

async function count(rateLimiter: RateLimiter, key: string, limit: RateLimit): Promise<void> {
  const { allowed, retryAfterSeconds } = await rateLimiter.allow(key, limit)
  if (allowed) return
  const text = `Too many requests. Try again in ${formatWait(retryAfterSeconds)}.`
  throw authError('over_request_rate_limit', { text, retryAfterSeconds })
}

/** Returns the error text for a recipient with too many messages. */
export const tooManyMessagesText = (retryAfterSeconds: number): string =>
  `Several messages were sent there in the past hour. Use the latest one, or try again in ${formatWait(retryAfterSeconds)}.`

export async function countRegistration(rateLimiter: RateLimiter, address: string, perHour: number): Promise<void> {
  const limit = isLocalBlock(address)
    ? rateLimits.registrationsPerLocalAddress
    : { ...rateLimits.registrationsPerAddress, points: perHour }
  await countAll(
    rateLimiter,
    blocksOf(address, limit, (block) => `registration|${block}`),
  )
}

export const countRefresh = (rateLimiter: RateLimiter, address: string): Promise<void> =>
  count(rateLimiter, `refresh|${address}`, rateLimits.refreshPerAddress)

export const countMessage = (rateLimiter: RateLimiter, address: string): Promise<void> =>
  count(rateLimiter, `message|${address}`, rateLimits.messagesPerAddress)

/**
 * Counts a recovery email per requester and account, and per account over all requesters. Every link that was emailed
 * within the hour stays valid, so that the account's owner has one whenever the second limit is reached.
 */
export async function countRecovery(rateLimiter: RateLimiter, identifierText: string, address: string): Promise<void> {
  const perRequester = `recovery|${address}|${identifierText}`
  await count(rateLimiter, perRequester, rateLimits.recoveriesPerRequester)
  const accountQuota = await rateLimiter.allow(`recovery|${identifierText}`, rateLimits.recoveriesPerAccount)
  if (accountQuota.allowed) return
  await rateLimiter.refund(perRequester)
  const { retryAfterSeconds } = accountQuota
  throw authError('over_email_send_rate_limit', { text: tooManyMessagesText(retryAfterSeconds), retryAfterSeconds })
}

export const countVerification = (rateLimiter: RateLimiter, address: string): Promise<void> =>
  count(rateLimiter, `verification|${address}`, rateLimits.verificationsPerAddress)

export const countUserChange = (rateLimiter: RateLimiter, userId: string): Promise<void> =>
  count(rateLimiter, `user-change|${userId}`, rateLimits.userChangesPerAccount)

export const countChallenge = (rateLimiter: RateLimiter, userId: string): Promise<void> =>
  count(rateLimiter, `challenge|${userId}`, rateLimits.challengesPerAccount)

export const countBackupCodeSet = (rateLimiter: RateLimiter, userId: string): Promise<void> =>
  count(rateLimiter, `backup-code-set|${userId}`, rateLimits.backupCodeSetsPerAccount)

export const countAnonymous = (rateLimiter: RateLimiter, address: string): Promise<void> =>
  count(rateLimiter, `anonymous|${address}`, rateLimits.anonymousPerAddress)

/** Counts an attempt at a backup code. The returned function releases it once it has succeeded. */
export async function countBackupCode(rateLimiter: RateLimiter, userId: string): Promise<() => Promise<void>> {
  const key = `backup-code|${userId}`
  await count(rateLimiter, key, rateLimits.backupCodeFailuresPerAccount)
  return () => rateLimiter.refund(key)
}

/**
 * Counts an attempt to sign in, per account and IP address or network, and per IP address or network alone; throws when
 * there were too many. The returned function releases the attempt once it has succeeded.
 */
export function countSignIn(
  rateLimiter: RateLimiter,
  identifier: Identifier,
  address: string,
): Promise<() => Promise<void>> {
  const identifierText = identifierValue(identifier)
  return countAll(rateLimiter, [
    ...blocksOf(address, rateLimits.signInFailuresPerAccount, (block) => `sign-in|${block}|${identifierText}`),
    ...blocksOf(address, rateLimits.signInFailuresPerAddress, (block) => `sign-in|${block}`),
  ])
}
