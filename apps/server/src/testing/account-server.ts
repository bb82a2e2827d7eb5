import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import { expect, onTestFinished } from 'vitest'
import { accountKeyRoutes } from '../account-keys/account-keys.routes.ts'
import { createAccountKeys } from '../account-keys/account-keys.service.ts'
import { createAccountKeysStore } from '../account-keys/account-keys.store.ts'
import { createDeviceSharesStore } from '../account-keys/device-shares.store.ts'
import { createDeviceShares } from '../account-keys/device-shares.ts'
import { createPreviousKeysStore } from '../account-keys/previous-keys.store.ts'
import { createRecoveryKeysStore } from '../account-keys/recovery-keys.store.ts'
import { signInRoutes } from '../account-sign-ins/sign-ins.routes.ts'
import { accountRoutes } from '../accounts/accounts.routes.ts'
import { createAccountsStore } from '../accounts/accounts.store.ts'
import { createRegistration } from '../accounts/registration.service.ts'
import { createSaltsStore } from '../accounts/salts.store.ts'
import { createSalts } from '../accounts/salts.ts'
import { createAdminsStore } from '../admin/admins.store.ts'
import { createFirstAdmin } from '../admin/first-admin.ts'
import { createAuthStores } from '../auth/auth.store.ts'
import { createEmbeddedProvider } from '../auth/embedded-provider.ts'
import { backupCodeRoutes } from '../auth/factors/backup-codes.routes.ts'
import { authRoutes } from '../auth/protocol/auth.routes.ts'
import { openProviderSecret } from '../auth/provider-secret.ts'
import { type ProviderSettings, productSettings } from '../auth/provider-settings.ts'
import { openSigningKeys } from '../auth/tokens/signing-keys.ts'
import { createLocalBus } from '../bus/bus.ts'
import { createApp } from '../http/app.ts'
import { createLogger } from '../http/logger.ts'
import { invitationRoutes } from '../invitations/invitations.routes.ts'
import { createInvitations } from '../invitations/invitations.service.ts'
import { furnishAccount } from '../licences/furnish.store.ts'
import { createLicenceOffersStore } from '../licences/licence-offers.store.ts'
import { createLicenceOffers } from '../licences/licence-offers.ts'
import { createLicencesStore } from '../licences/licences.store.ts'
import { createLicences } from '../licences/licences.ts'
import { createLocalAttempts } from '../limits/attempts.ts'
import { openPost } from '../post/open-post.ts'
import { createPostQueueStore } from '../post/post-queue.store.ts'
import { createSecurityNotices } from '../post/security-notices.ts'
import { createPasswordHashing } from '../resources/password-hashing.ts'
import { openSecrets } from '../secrets.ts'
import type { Stage } from './databases.ts'

const testIssuer = 'http://sallyport.test/auth/v1'

interface Wishes extends Partial<ProviderSettings> {
  readonly revealUnknown?: boolean
  readonly adminEmails?: readonly string[]
}

/** A server with accounts, the embedded provider and an outbox, and nothing else. */
export async function startAccounts(
  stage: Stage,
  { revealUnknown = false, adminEmails = [], ...settings }: Wishes = {},
) {
  const { strict = true, confirmAddresses = false, registrationsPerHour = 5 } = settings
  const { db, now, folder } = stage
  const logged: string[] = []
  const logger = createLogger('info', { write: (line) => void logged.push(line) })
  const secrets = openSecrets(join(folder, 'secrets'))
  const keys = await openSigningKeys(secrets.folder)
  const bus = createLocalBus()
  const attempts = createLocalAttempts(now)
  const licences = createLicences({ store: createLicencesStore(db), bus, now })
  const offers = createLicenceOffers({ store: createLicenceOffersStore(db), now })
  const publicUrl = new URL('http://sallyport.test')
  const { office, outbox } = openPost({
    store: createPostQueueStore(db),
    secretsFolder: secrets.folder,
    dataFolder: folder,
    publicUrl,
    smtpUrl: undefined,
    smsUrl: undefined,
    mailFrom: undefined,
    now,
    log: logger,
  })
  onTestFinished(office.close)
  const salts = createSalts({ salts: createSaltsStore(db), secret: secrets.salt, now })
  const provider = createEmbeddedProvider({
    stores: createAuthStores(db, furnishAccount),
    keys,
    secret: openProviderSecret(secrets.folder),
    issuer: testIssuer,
    publicUrl,
    post: office,
    attempts,
    bus,
    now,
    hashing: createPasswordHashing(),
    onRename: salts.follow,
    log: logger,
    settings: { ...productSettings, ...settings, strict },
  })
  const app = await createApp({
    logger,
    findAccount: provider.findAccount,
    demandLicence: licences.demand,
    trustedProxies: ['127.0.0.1'],
    publicUrl,
    operatorToken: undefined,
  })
  await authRoutes(app, { protocol: provider.protocol, version: '0.0.0' })
  const shared = { provider, salts, attempts, confirmAddresses, registrationsPerHour, strict, now }
  const registration = createRegistration({ ...shared, post: office, offers, publicUrl })
  const onSignIn = createFirstAdmin({
    ...shared,
    admins: createAdminsStore(db),
    emails: adminEmails,
    hasProvenAddress: provider.hasProvenAddress,
  })
  accountRoutes(app, {
    ...shared,
    accounts: createAccountsStore(db),
    licences,
    registration,
    revealUnknown,
    onSignIn,
  })
  invitationRoutes(app, { invitations: createInvitations({ offers, attempts }), register: registration.register })
  const accountKeys = createAccountKeys({
    keys: createAccountKeysStore(db),
    previousKeys: createPreviousKeysStore(db),
    recoveryKeys: createRecoveryKeysStore(db),
    provider,
    attempts,
    notices: createSecurityNotices({ post: office, now, log: logger }),
    now,
  })
  const deviceShares = createDeviceShares({
    store: createDeviceSharesStore(db),
    provider,
    bus,
    now,
    onError: (error) => {
      // What a sign-out leaves to do may still be under way when the test, and with it the database, has ended.
      if (!error.message.includes('destroyed')) throw error
    },
  })
  accountKeyRoutes(app, { accountKeys, deviceShares })
  signInRoutes(app, { provider })
  backupCodeRoutes(app, provider)
  return {
    app,
    bus,
    provider,
    keys,
    offers,
    /** Lines of the log. */
    logged,
    forgetOldShares: deviceShares.forgetOld.run,
    forgetOldKeys: accountKeys.forgetOld.run,
    /** Every letter that was written, oldest first. */
    async letters(): Promise<Email[]> {
      await expect.poll(() => db.selectFrom('post_queue').select('id').execute()).toEqual([])
      const entries = (await outbox.read(100)).filter(({ name }) => name.endsWith('.eml'))
      return Promise.all(entries.toReversed().map(({ content }) => PostalMime.parse(content)))
    },
    /** Every text message that was written, oldest first. */
    async texts(): Promise<string[]> {
      await expect.poll(() => db.selectFrom('post_queue').select('id').execute()).toEqual([])
      const entries = (await outbox.read(100)).filter(({ name }) => name.endsWith('.txt'))
      return entries.toReversed().map(({ content }) => content.toString('utf8'))
    },
    ...callsOf(app),
  }
}

/** The address a letter leads to. */
export const linkIn = ({ text = '' }: Pick<Email, 'text'>): URL =>
  new URL(/http:\/\/sallyport\.test\S+/.exec(text)?.[0] ?? 'about:blank')

/** What the link of a letter carries after its # or, where it leads to the provider itself, in its query. */
export function parametersIn(letter: Pick<Email, 'text'>): URLSearchParams {
  const { hash, search } = linkIn(letter)
  return new URLSearchParams(hash === '' ? search : hash.slice(1))
}

/** The six digits of a letter or a text message. */
export const codeIn = (text = ''): string => /\b\d{6}\b/.exec(text)?.[0] ?? ''

export type AccountServer = Awaited<ReturnType<typeof startAccounts>>

/** A login secret as a browser sends one. */
export const aCredential = (profile = 2): string => `Zk${profile}.${randomBytes(32).toString('base64url')}`

export const anEmail = (): string => `${randomBytes(6).toString('hex')}@example.org`

type Headers = Readonly<Record<string, string>>

function callsOf(app: FastifyInstance) {
  const post = (url: string, payload: object, headers: Headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers })

  return {
    post,
    remove: (url: string, headers: Headers = {}) => app.inject({ method: 'DELETE', url, headers }),
    get: (url: string, headers: Headers = {}) => app.inject({ method: 'GET', url, headers }),
    put: (url: string, payload: object, headers: Headers = {}) => app.inject({ method: 'PUT', url, payload, headers }),
    /** A person with an account who has signed in. */
    async aMember({ policy = 'short' }: { policy?: 'short' | 'remember' } = {}) {
      const email = anEmail()
      const password = aCredential()
      await post('/api/register', { email, password })
      const answer = await post('/api/login', { email, password }, { 'x-session-policy': policy })
      const { session, user } = answer.json()
      return {
        email,
        password,
        userId: user.id as string,
        accessToken: session.access_token as string,
        refreshToken: session.refresh_token as string,
        bearer: { authorization: `Bearer ${session.access_token}` },
      }
    },
    refresh: (refreshToken: string) =>
      post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken }, datedForm),
  }
}

export const datedForm = { 'x-supabase-api-version': '2024-01-01' } as const
