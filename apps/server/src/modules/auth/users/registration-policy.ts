import { ignore } from '@sallyport/contract/ignore'
import { authError } from '../protocol/auth-error.ts'
import type { Identifier } from './users.store.ts'

export type RegistrationMode = 'open' | 'invite' | 'closed'

interface RegistrationPolicyDeps {
  readonly mode: RegistrationMode
  readonly domains: readonly string[]
  /** Addresses that may register while no user exists, whatever the mode and the domains. */
  readonly adminEmails: readonly string[]
  readonly hasUsers: () => Promise<boolean>
}

interface Registration {
  readonly email: string
  /** The registration has an invitation or a licence key. */
  readonly isInvited: boolean
}

/** The operator's decision about who can create an account. It reveals nothing about an account. */
export function createRegistrationPolicy({ mode, domains, adminEmails, hasUsers }: RegistrationPolicyDeps) {
  const admins = new Set(adminEmails.map((email) => email.toLowerCase()))

  return {
    /** Throws unless the operator accepts the registration. */
    async requireAllowed({ email, isInvited }: Registration): Promise<void> {
      if (admins.has(email) && !(await hasUsers())) return
      if (mode === 'closed' || (mode === 'invite' && !isInvited)) throw authError('signup_disabled')
      requireAllowedDomain({ email }, domains)
    },
    /** The mode to show to visitors: `open` while the first admin can register. */
    async shownMode(): Promise<RegistrationMode> {
      if (mode === 'open' || admins.size === 0) return mode
      const canAdminRegister = await hasUsers().then(
        (has) => !has,
        (error: unknown) => ignore(error, 'the form is hidden while the database is unavailable') ?? false,
      )
      return canAdminRegister ? 'open' : mode
    },
  }
}

export type RegistrationPolicy = ReturnType<typeof createRegistrationPolicy>

/** Throws unless the email address has one of these domains. Without any, every address is accepted. */
export function requireAllowedDomain(identifier: Identifier, domains: readonly string[]): void {
  if (domains.length === 0) return
  if (!('email' in identifier)) throw authError('signup_disabled')
  const domain = identifier.email.slice(identifier.email.lastIndexOf('@') + 1)
  if (!domains.includes(domain)) throw authError('email_address_not_authorized')
}
