import { randomUUIDv7 } from 'node:crypto'
import { AuthRefusal } from '../auth/auth-refusal.ts'
import { checkCredential } from '../auth/newcomers.ts'
import type { AuthProvider } from '../auth/provider.ts'
import { countRegistration } from '../auth/sign-in-attempts.ts'
import { refuse } from '../errors.ts'
import type { Attempts } from '../limits/attempts.ts'
import { readEmail } from './identifier.ts'
import { inOwnWords } from './own-words.ts'
import type { Salts } from './salts.ts'

interface Parts {
  readonly provider: AuthProvider
  readonly salts: Salts
  readonly attempts: Attempts
  readonly strict: boolean
}

interface Registration {
  readonly email: string
  readonly credential: string
  readonly licenceKey: string | undefined
  readonly address: string
}

/**
 * Makes an account. An address that is taken is answered like any other, with an id that belongs to nobody, and the
 * account that holds it stays as it is: the answer tells nobody who is a member. Who holds the address signs in as
 * ever; anybody else only finds that signing in fails. As long as no mail confirms addresses, that last step, and the
 * provider's own sign-up call whose protocol knows no other answer, still tell the two apart.
 */
export function createRegistration({ provider, salts, attempts, strict }: Parts) {
  async function createUser(email: string, credential: string): Promise<{ id: string; email: string }> {
    try {
      const { id } = await provider.createUser({ email, credential, confirmed: true })
      await salts.pin(email, id, credential)
      return { id, email }
    } catch (error) {
      if (error instanceof AuthRefusal && error.code === 'user_already_exists') return { id: randomUUIDv7(), email }
      throw error
    }
  }

  return {
    register: (registration: Registration): Promise<{ id: string; email: string }> =>
      inOwnWords(async () => {
        await countRegistration(attempts, registration.address)
        const email = readEmail(registration.email)
        checkCredential(registration.credential, strict)
        // No licence keys are given out yet, so there is none that could be right.
        if (registration.licenceKey) throw refuse('LICENSE_KEY_INVALID')
        return createUser(email, registration.credential)
      }),
  }
}
