import { createHmac, randomBytes } from 'node:crypto'
import { derivedCredential } from '@sallyport/contract/fields'
import type { SaltsStore } from './salts.store.ts'

/** How login secrets are derived today: Argon2id with the costs that clients know under this number. */
const currentProfile = 2
const saltBytes = 16
const shareValidMs = 60_000

interface Parts {
  readonly salts: SaltsStore
  /** Without it nobody could tell the salts of addresses that were never seen. */
  readonly secret: Buffer
  readonly now: () => number
}

/**
 * The salt of every address and number, known or not: it follows from the secret, so that asking tells nothing.
 * For accounts it is pinned, so that it outlives a change of the secret, of the address or of the profile.
 */
export function createSalts({ salts, secret, now }: Parts) {
  let share = { value: 0, until: 0 }

  const computed = (identifier: string): string =>
    createHmac('sha256', secret)
      .update('prelogin')
      .update(identifier)
      .digest()
      .subarray(0, saltBytes)
      .toString('base64url')

  const releasedHash = (identifier: string): string =>
    createHmac('sha256', secret).update('released').update(identifier).digest('base64url')

  const saltOf = async (identifier: string): Promise<string> =>
    (await salts.findReleased(releasedHash(identifier))) ?? computed(identifier)

  async function earlierShare(): Promise<number> {
    if (share.until <= now()) share = { value: await salts.shareBelow(currentProfile), until: now() + shareValidMs }
    return share.value
  }

  /** Names without an account are answered like an earlier account as often as there are earlier accounts. */
  async function looksEarlier(identifier: string): Promise<boolean> {
    const draw = createHmac('sha256', secret).update('profile').update(identifier).digest().readUInt32BE() / 2 ** 32
    return draw < (await earlierShare())
  }

  return {
    /**
     * What an identifier in its normal form derives its login secret with. An account that still uses an earlier way is
     * named both, so that its client moves on; what it uses by now, its next sign-in shows.
     */
    async find(identifier: string): Promise<{ salt: string; profiles: number[] }> {
      // Known and unknown names cost the same queries, so that the time tells nothing.
      const pinned = await salts.find(identifier)
      const unpinnedSalt = await saltOf(identifier)
      const looksOld = await looksEarlier(identifier)
      const isEarlier = pinned ? pinned.profile < currentProfile : looksOld
      return { salt: pinned?.salt ?? unpinnedSalt, profiles: isEarlier ? [1, currentProfile] : [currentProfile] }
    },
    /** Pins what this account's login secret is derived with; a credential that was not derived pins nothing. */
    async pin(identifier: string, userId: string, credential: string): Promise<void> {
      if (!derivedCredential.test(credential)) return
      const profile = Number(credential.slice('Zk'.length, credential.indexOf('.')))
      await salts.pin({ identifier, user_id: userId, salt: await saltOf(identifier), profile })
    },
    /** Moves an account's salt to its new name; the name that it gave up gets an unrelated one. */
    async follow(userId: string, from: string | null, to: string): Promise<void> {
      if (from === null) return
      const released = { identifier_hash: releasedHash(from), salt: randomBytes(saltBytes).toString('base64url') }
      await salts.rename(userId, { from, to, released })
    },
  }
}

export type Salts = ReturnType<typeof createSalts>
