import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import { expect, onTestFinished } from 'vitest'
import { mountAccounts } from '../../app/mount-accounts.ts'
import { mountAdmin } from '../../app/mount-admin.ts'
import { mountBilling } from '../../app/mount-billing.ts'
import { mountOrganizations } from '../../app/mount-organizations.ts'
import { createUsers } from '../../app/users.ts'
import { nothing } from '../../jobs.ts'
import type { ProviderSettings } from '../../modules/auth/provider-settings.ts'
import type { BillingMode } from '../../modules/billing/billing-mode.ts'
import { createApp } from '../../platform/http/app.ts'
import { createOnlineAccounts } from '../../platform/realtime/online-accounts.ts'
import type { Stage } from '../engines/databases.ts'
import { createTestContext } from './test-context.ts'

export interface AccountServerOptions extends Partial<ProviderSettings> {
  readonly revealUnknown?: boolean
  readonly adminEmails?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly billing?: BillingMode
}

/** Starts a server with only accounts, the embedded provider and an outbox. */
export async function startAccountServer(
  stage: Stage,
  {
    revealUnknown = false,
    adminEmails = [],
    environment = {},
    billing = 'contact',
    ...settings
  }: AccountServerOptions = {},
) {
  const { strict = true, confirmEmails = false } = settings
  const logged: string[] = []
  const { context, mail } = await createTestContext(stage, {
    log: logged,
    environment: {
      STRICT: strict ? 'on' : 'off',
      VERIFY_ADDRESSES: confirmEmails ? 'on' : 'off',
      AUTH_REVEAL_UNKNOWN_ACCOUNTS: revealUnknown ? 'on' : 'off',
      ADMIN_EMAILS: adminEmails.join(','),
      TRUSTED_PROXIES: '127.0.0.1',
      ...environment,
    },
  })
  onTestFinished(mail.queue.close)
  const users = await createUsers(context, { billingMode: billing, settings })
  const app = await createApp({
    ...context,
    findAccount: users.provider.findAccount,
    requireLicence: users.licences.requireActive,
    isAdmin: users.admins.isAdmin,
  })
  const billingJobs = mountBilling(app, context, users)
  mountOrganizations(app, context, users)
  const online = createOnlineAccounts(context)
  const jobs = [
    ...(await mountAccounts(app, context, users)),
    ...billingJobs,
    ...(await mountAdmin(app, context, { users, online, erase: async () => nothing, environment: {} })),
  ]
  const runJob = (name: string) => jobs.find((job) => job.name === name)?.run(new AbortController().signal)
  return {
    app,
    context,
    bus: context.bus,
    provider: users.embedded,
    keys: users.keys,
    offers: users.offers,
    /** Log lines. */
    logged,
    deleteOldShares: () => runJob('old device shares'),
    applySubscriptions: () => runJob('subscriptions'),
    comparePayments: () => runJob('payment comparison'),
    refreshLicences: () => runJob('effective licences'),
    runDeletions: () => runJob('user deletions'),
    online,
    deleteOldKeys: () => runJob('previous account keys'),
    /** All sent emails, oldest first. */
    async emails(): Promise<Email[]> {
      await expect.poll(() => stage.db.selectFrom('post_queue').select('id').execute()).toEqual([])
      const entries = (await mail.outbox.read(100)).filter(({ name }) => name.endsWith('.eml'))
      return Promise.all(entries.toReversed().map(({ content }) => PostalMime.parse(content)))
    },
    /** All sent text messages, oldest first. */
    async textMessages(): Promise<string[]> {
      await expect.poll(() => stage.db.selectFrom('post_queue').select('id').execute()).toEqual([])
      const entries = (await mail.outbox.read(100)).filter(({ name }) => name.endsWith('.txt'))
      return entries.toReversed().map(({ content }) => content.toString('utf8'))
    },
    ...createHttpClient(app),
  }
}

/** The link in an email. */
export const linkIn = ({ text = '' }: Pick<Email, 'text'>): URL =>
  new URL(/http:\/\/sallyport\.test\S+/.exec(text)?.[0] ?? 'about:blank')

/** The parameters of the link in an email: from its fragment or, for links to the provider itself, from its query. */
export function parametersIn(email: Pick<Email, 'text'>): URLSearchParams {
  const { hash, search } = linkIn(email)
  return new URLSearchParams(hash === '' ? search : hash.slice(1))
}

/** The six-digit code in an email or a text message. */
export const codeIn = (text = ''): string => /\b\d{6}\b/.exec(text)?.[0] ?? ''

export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>

/** A random login secret in the format that browsers send. */
export const randomCredential = (profile = 2): string => `Zk${profile}.${randomBytes(32).toString('base64url')}`

export const randomEmail = (): string => `${randomBytes(6).toString('hex')}@example.org`

type Headers = Readonly<Record<string, string>>

function createHttpClient(app: FastifyInstance) {
  const post = (url: string, payload: object, headers: Headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers })

  return {
    post,
    remove: (url: string, headers: Headers = {}) => app.inject({ method: 'DELETE', url, headers }),
    get: (url: string, headers: Headers = {}) => app.inject({ method: 'GET', url, headers }),
    put: (url: string, payload: object, headers: Headers = {}) => app.inject({ method: 'PUT', url, payload, headers }),
    /** Registers a user and signs them in. */
    async createMember({ policy = 'short' }: { policy?: 'short' | 'remember' } = {}) {
      const email = randomEmail()
      const password = randomCredential()
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
      post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken }, apiVersionHeader),
  }
}

export const apiVersionHeader = { 'x-supabase-api-version': '2024-01-01' } as const
