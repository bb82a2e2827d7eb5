import type { AuthSession } from '@sallyport/contract/auth'
import { checkDerived } from '../auth/newcomers.ts'
import type { AuthProvider, PasswordAttempt } from '../auth/provider.ts'
import { refuse } from '../errors.ts'
import { readIdentifier } from './identifier.ts'
import { inOwnWords } from './own-words.ts'
import type { AccountReaders } from './readers.ts'
import type { Salts } from './salts.ts'

interface Parts {
  readonly provider: AuthProvider
  readonly salts: Salts
  readonly licenceOf: AccountReaders['licenceOf']
  readonly strict: boolean
}

type Attempt = Omit<PasswordAttempt, 'credential'> & { readonly credential: string | undefined }

/** Signs in by the provider, unless the account's licence cannot be read: then nobody learns the tokens. */
export function createLogin({ provider, salts, licenceOf, strict }: Parts) {
  return {
    signIn: ({ email, phone, credential, ...rest }: Attempt): Promise<AuthSession> =>
      inOwnWords(async () => {
        if (!credential || (!email?.trim() && !phone?.trim())) throw refuse('EMAIL_OR_PHONE_REQUIRED')
        if (strict) checkDerived(credential)
        const identifier = readIdentifier({ email, phone })
        const session = await provider.passwordGrant({ email, phone, credential, ...rest })
        await licenceOf(session.user.id)
        await salts.pin(identifier, session.user.id, credential)
        return session
      }),
  }
}
