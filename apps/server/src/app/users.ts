import { authPrefix } from '@sallyport/contract/auth'
import type { ServerContext } from '../context.ts'
import { createAccountsStore } from '../modules/accounts/accounts.store.ts'
import { registrationTermsOf } from '../modules/accounts/licences/licence.rules.ts'
import { createLicenceOffersStore } from '../modules/accounts/licences/licence-offers.store.ts'
import { createLicenceOffers } from '../modules/accounts/licences/licence-offers.ts'
import { createLicencesStore } from '../modules/accounts/licences/licences.store.ts'
import { createLicences } from '../modules/accounts/licences/licences.ts'
import { createProvisionAccount } from '../modules/accounts/licences/provision-account.store.ts'
import { createRegistrationService } from '../modules/accounts/registration.service.ts'
import { createSaltsStore } from '../modules/accounts/salts.store.ts'
import { createSalts } from '../modules/accounts/salts.ts'
import { createAdminsStore } from '../modules/admin/admins.store.ts'
import { type AuthStores, createAuthStores } from '../modules/auth/auth.store.ts'
import { createEmbeddedProvider } from '../modules/auth/embedded-provider.ts'
import { readHostedProviderConfig } from '../modules/auth/hosted/hosted-config.ts'
import { createHostedProvider } from '../modules/auth/hosted/hosted-provider.ts'
import { createMirrorStore } from '../modules/auth/hosted/mirror.store.ts'
import type { AuthProvider } from '../modules/auth/provider.ts'
import { openProviderSecret } from '../modules/auth/provider-secret.ts'
import { type ProviderSettings, productSettings } from '../modules/auth/provider-settings.ts'
import { openSigningKeys } from '../modules/auth/tokens/signing-keys.ts'
import { createRegistrationPolicy } from '../modules/auth/users/registration-policy.ts'
import type { BillingMode } from '../modules/billing/billing-mode.ts'
import { createUploadsStore } from '../modules/files/uploads/uploads.store.ts'
import { createPlans } from './create-plans.ts'
import { createRemoveUser } from './remove-user.ts'

export type Users = Awaited<ReturnType<typeof createUsers>>

interface UsersOptions {
  readonly billingMode: BillingMode
  readonly settings?: Partial<ProviderSettings>
}

/** Creates the services for users, their plans and licences, with the embedded or the hosted auth provider. */
export async function createUsers(context: ServerContext, { billingMode, settings = {} }: UsersOptions) {
  const { config, db, now, secrets, publicUrl, strict, confirmEmails } = context
  const uploadsStore = createUploadsStore(db)
  const registrationTerms = registrationTermsOf(config)
  const provisionAccount = createProvisionAccount(registrationTerms)
  const baseStores = createAuthStores(db, provisionAccount)
  const plans = await createPlans(context, billingMode)
  const removeUser = createRemoveUser({
    ...context,
    users: baseStores.users,
    uploadsStore,
    beforeRemoval: plans.beforeRemoval,
  })
  async function removeAndRecord(userId: string): Promise<boolean> {
    const isRemoved = await removeUser(userId)
    if (isRemoved) context.securityLog.record('account.deleted', { userId })
    return isRemoved
  }
  const stores: AuthStores = { ...baseStores, users: { ...baseStores.users, remove: removeAndRecord } }
  const salts = createSalts({ salts: createSaltsStore(db), secret: secrets.salt, now })
  const hosted = readHostedProviderConfig(config)
  const keys = await openSigningKeys(secrets.folder)
  const embedded = createEmbeddedProvider({
    ...context,
    stores,
    keys,
    secret: openProviderSecret(secrets.folder),
    issuer: new URL(authPrefix, publicUrl).href,
    onIdentifierChange: salts.renameIdentifier,
    beforeRemoval: plans.beforeRemoval,
    settings: {
      ...productSettings,
      strict,
      confirmEmails,
      confirmPhones: config.SMS_URL !== undefined,
      signUp: config.REGISTRATION === 'open',
      emailDomains: config.REGISTRATION_DOMAINS,
      registrationsPerHour: config.REGISTRATIONS_PER_HOUR,
      ...settings,
    },
  })
  const provider: AuthProvider = hosted
    ? createHostedProvider({
        ...context,
        ...hosted,
        mirror: createMirrorStore(db, provisionAccount),
        lists: embedded,
        authSessions: stores.authSessions,
      })
    : embedded

  const accounts = createAccountsStore(db, config.DEFAULT_EXPIRATION_MINUTES)
  const licencesStore = createLicencesStore(db)
  const licences = createLicences({
    ...context,
    store: licencesStore,
    registrationTerms,
    derivedLicences: plans.derivedLicences,
  })
  const { licenceOf } = licences
  const offers = createLicenceOffers({ store: createLicenceOffersStore(db), now })
  const registrationPolicy = createRegistrationPolicy({
    mode: config.REGISTRATION,
    domains: config.REGISTRATION_DOMAINS,
    adminEmails: config.ADMIN_EMAILS,
    hasUsers: async () => (await stores.users.count(undefined)) > 0,
  })

  return {
    accounts,
    licences,
    licencesStore,
    ...plans,
    admins: createAdminsStore(db),
    /** Account queries that other modules use. */
    accountQueries: {
      /** Storage limit of the account in bytes. */
      storageLimitOf: async (userId: string): Promise<number> => (await licenceOf(userId)).storageBytes,
      /** Whether the account only has the licence of its registration, which is a trial or which everyone can get. */
      async isOnTrial(userId: string): Promise<boolean> {
        const { source, type } = await licenceOf(userId)
        const isOfRegistration = source === 'registration' || source === 'instance'
        return source === 'after-paid' || (isOfRegistration && (type === 'trial' || config.REGISTRATION === 'open'))
      },
      /** Default lifetime of the account's files, in minutes. */
      expirationMinutesOf: accounts.expirationMinutes,
    },
    offers,
    stores,
    uploadsStore,
    salts,
    keys,
    /** Null for the embedded provider. */
    hosted,
    embedded,
    provider,
    /** Whether an email has proved that the address of a user is theirs. A hosted provider verifies addresses itself. */
    hasProvenAddress: hosted ? async () => true : embedded.hasVerifiedEmail,
    registrationTerms,
    registrationPolicy,
    registration: createRegistrationService({
      ...context,
      provider,
      salts,
      offers,
      registrationPolicy,
      registrationsPerHour: config.REGISTRATIONS_PER_HOUR,
    }),
  }
}
