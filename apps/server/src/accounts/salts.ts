import { createHmac } from 'node:crypto'
import { derivedCredential } from '@sallyport/contract/fields'
import type { SaltsStore } from './salts.store.ts'

/** How login secrets are derived today: Argon2id with the costs that clients know under this number. */
const currentProfile = 2
const saltBytes = 16

interface Parts {
  readonly salts: SaltsStore
  /** Without it nobody could tell the salts of addresses that were never seen. */
  readonly secret: Buffer
}

/**
 * The salt of every address and number, known or not: it follows from the secret, so that asking tells nothing.
 * For accounts it is pinned, so that it outlives a change of the secret, of the address or of the profile.
 */
export function createSalts({ salts, secret }: Parts) {
  const computed = (identifier: string): string =>
    createHmac('sha256', secret)
      .update('prelogin')
      .update(identifier)
      .digest()
      .subarray(0, saltBytes)
      .toString('base64url')

  return {
    /**
     * What an identifier in its normal form derives its login secret with. An account that still uses an earlier way is
     * named both, so that its client moves on; what it uses by now, its next sign-in shows.
     */
    async find(identifier: string): Promise<{ salt: string; profiles: number[] }> {
      const unseen = { salt: computed(identifier), profile: currentProfile }
      const { salt, profile } = (await salts.find(identifier)) ?? unseen
      return { salt, profiles: profile < currentProfile ? [profile, currentProfile] : [profile] }
    },
    /** Pins what this account's login secret is derived with; a credential that was not derived pins nothing. */
    async pin(identifier: string, userId: string, credential: string): Promise<void> {
      if (!derivedCredential.test(credential)) return
      const profile = Number(credential.slice('Zk'.length, credential.indexOf('.')))
      await salts.pin({ identifier, user_id: userId, salt: computed(identifier), profile })
    },
  }
}

export type Salts = ReturnType<typeof createSalts>
