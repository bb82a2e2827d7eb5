import { rateLimits } from '@sallyport/contract/server-limits'
import { isLocalBlock } from '../../http/address.ts'
import type { Attempts, Limit } from '../../limits/attempts.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import { waitInWords } from '../protocol/wait-in-words.ts'
import { nameOf } from '../users/new-user.ts'
import type { Identifier } from '../users/users.store.ts'
import { blocksOf, countAll } from './limit-tiers.ts'

async function count(attempts: Attempts, key: string, limit: Limit): Promise<void> {
  const { allowed, retryAfterSeconds } = await attempts.allow(key, limit)
  if (!allowed) throw refuseAuth('over_request_rate_limit', { retryAfterSeconds })
}

/** Says what a recipient can do who is refused another message. */
export const enoughMessages = (retryAfterSeconds: number): string =>
  `Several messages were sent there in the past hour. Use the latest one, or try again in ${waitInWords(retryAfterSeconds)}.`

export async function countRegistration(attempts: Attempts, address: string, perHour: number): Promise<void> {
  const limit = isLocalBlock(address)
    ? rateLimits.registrationsPerLocalAddress
    : { ...rateLimits.registrationsPerAddress, points: perHour }
  await countAll(
    attempts,
    blocksOf(address, limit, (block) => `registration|${block}`),
  )
}

export const countRefresh = (attempts: Attempts, address: string): Promise<void> =>
  count(attempts, `refresh|${address}`, rateLimits.refreshPerAddress)

export const countMessage = (attempts: Attempts, address: string): Promise<void> =>
  count(attempts, `message|${address}`, rateLimits.messagesPerAddress)

/**
 * Counts a recovery mail per requester and account, and per account over all requesters. Every link that was mailed
 * within the hour stays valid, so that the account's owner has one whenever the second limit is reached.
 */
export async function countRecovery(attempts: Attempts, name: string, address: string): Promise<void> {
  const perRequester = `recovery|${address}|${name}`
  await count(attempts, perRequester, rateLimits.recoveriesPerRequester)
  const total = await attempts.allow(`recovery|${name}`, rateLimits.recoveriesPerAccount)
  if (total.allowed) return
  await attempts.forgive(perRequester)
  const { retryAfterSeconds } = total
  throw refuseAuth('over_email_send_rate_limit', { text: enoughMessages(retryAfterSeconds), retryAfterSeconds })
}

export const countVerification = (attempts: Attempts, address: string): Promise<void> =>
  count(attempts, `verification|${address}`, rateLimits.verificationsPerAddress)

export const countUserChange = (attempts: Attempts, userId: string): Promise<void> =>
  count(attempts, `user-change|${userId}`, rateLimits.userChangesPerAccount)

export const countChallenge = (attempts: Attempts, userId: string): Promise<void> =>
  count(attempts, `challenge|${userId}`, rateLimits.challengesPerAccount)

export const countBackupCodeSet = (attempts: Attempts, userId: string): Promise<void> =>
  count(attempts, `backup-code-set|${userId}`, rateLimits.backupCodeSetsPerAccount)

export const countAnonymous = (attempts: Attempts, address: string): Promise<void> =>
  count(attempts, `anonymous|${address}`, rateLimits.anonymousPerAddress)

/** Counts an attempt at a backup code. The returned function releases it once it has succeeded. */
export async function countBackupCode(attempts: Attempts, userId: string): Promise<() => Promise<void>> {
  const key = `backup-code|${userId}`
  await count(attempts, key, rateLimits.backupCodeFailuresPerAccount)
  return () => attempts.forgive(key)
}

/**
 * Counts an attempt to sign in, for the account as seen from this address and its networks, and for these alone; refuses
 * it when there were too many. The answer takes it back once it has succeeded.
 */
export function countSignIn(attempts: Attempts, identifier: Identifier, address: string): Promise<() => Promise<void>> {
  const name = nameOf(identifier)
  return countAll(attempts, [
    ...blocksOf(address, rateLimits.signInFailuresPerAccount, (block) => `sign-in|${block}|${name}`),
    ...blocksOf(address, rateLimits.signInFailuresPerAddress, (block) => `sign-in|${block}`),
  ])
}
