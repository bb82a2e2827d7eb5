import { authPrefix, authProvider } from '@sallyport/contract/auth'
import type { FastifyInstance } from 'fastify'
import { mount } from '../http/mount.ts'
import { answerAuthRefusal } from './auth-envelope.ts'
import { refuseAuth } from './auth-refusal.ts'
import type { EmbeddedProvider } from './embedded-provider.ts'

interface Deps {
  readonly provider: EmbeddedProvider
  readonly version: string
}

const keysCacheSeconds = 600

/** The embedded provider's calls, under the prefix its clients expect. */
export async function authRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(
    async (scope) => {
      speakProtocol(scope)
      mountSignIns(scope, deps)
      mountDescriptions(scope, deps)
    },
    { prefix: authPrefix },
  )
}

/** Refusals in the protocol's form, bodies that may be missing, and keys that may be cached. */
function speakProtocol(scope: FastifyInstance): void {
  scope.setErrorHandler(answerAuthRefusal)
  const parseJson = scope.getDefaultJsonParser('error', 'error')
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // The published client announces JSON even where it sends nothing.
    if (body === '') return done(null, undefined)
    return parseJson(request, body, done)
  })
  scope.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.endpoint !== authProvider.jwks) return
    reply.header('Cache-Control', `public, max-age=${keysCacheSeconds}`)
  })
}

function mountSignIns(scope: FastifyInstance, { provider }: Deps): void {
  mount(scope, authProvider.token, async ({ query, headers, body, address, userAgent }) => {
    const origin = { address, userAgent }
    if (query.grant_type === 'password') {
      const { email, phone, password = '' } = body
      return provider.passwordGrant({ email, phone, credential: password, policy: policyOf(headers), origin })
    }
    if (query.grant_type !== 'refresh_token')
      throw refuseAuth('invalid_credentials', { text: 'unsupported_grant_type' })
    if (!body.refresh_token) throw refuseAuth('validation_failed', { text: 'refresh_token required' })
    return provider.refresh(body.refresh_token, origin)
  })

  mount(scope, authProvider.signUp, async ({ headers, body, address, userAgent }) => {
    const { email, phone, password = '', data } = body
    if (!email && !phone) throw refuseAuth('anonymous_provider_disabled')
    return provider.signUp({
      email,
      phone,
      credential: password,
      metadata: data ?? {},
      policy: policyOf(headers),
      origin: { address, userAgent },
    })
  })

  mount(scope, authProvider.user, async ({ headers }) => {
    const { userId } = await provider.identify(headers.authorization)
    const user = await provider.findUser(userId)
    if (!user) throw refuseAuth('session_not_found')
    return user
  })

  mount(scope, authProvider.signOut, async ({ headers, query }) => {
    const account = await provider.identify(headers.authorization)
    await provider.signOut(account, query.scope)
    return undefined
  })
}

const policyOf = (headers: { 'x-session-policy'?: 'short' | 'remember' | undefined }) =>
  headers['x-session-policy'] ?? 'short'

function mountDescriptions(scope: FastifyInstance, { provider, version }: Deps): void {
  mount(scope, authProvider.jwks, async () => ({ keys: [...provider.publicKeys] }))

  mount(scope, authProvider.health, async () => ({
    name: 'Sallyport',
    version,
    description: 'Sallyport keeps its own users and speaks the GoTrue protocol',
  }))

  mount(scope, authProvider.settings, async () => ({
    external: { email: true, phone: true, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: true,
    phone_autoconfirm: true,
    sms_provider: '',
    mfa_enabled: false,
    saml_enabled: false,
  }))
}
