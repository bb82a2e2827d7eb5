import { authPrefix } from '@sallyport/contract/auth'
import { authProvider } from '@sallyport/contract/auth-calls'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../http/mount.ts'
import type { Protocol } from '../embedded-provider.ts'
import { factorRoutes } from '../factors/factors.routes.ts'
import { adminRoutes } from './admin.routes.ts'
import { answerAuthRefusal } from './auth-envelope.ts'
import { refuseAuth } from './auth-refusal.ts'
import { userRoutes } from './users.routes.ts'

interface Deps {
  readonly protocol: Protocol
  readonly version: string
  /** The path all calls are under; a provider of its own address has none. */
  readonly prefix?: string
}

const keysCacheSeconds = 600

/** The embedded provider's calls, under the prefix its clients expect. */
export async function authRoutes(app: FastifyInstance, { prefix = authPrefix, ...deps }: Deps): Promise<void> {
  await app.register(
    async (scope) => {
      speakProtocol(scope)
      userRoutes(scope, deps.protocol)
      factorRoutes(scope, deps.protocol)
      adminRoutes(scope, deps.protocol)
      mountLinks(scope, deps.protocol)
      mountDescriptions(scope, deps)
      mountForeignWays(scope)
    },
    { prefix },
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

interface OpenedLink {
  readonly token?: unknown
  readonly type?: unknown
  readonly redirect_to?: unknown
}

/** Links that lead to the provider itself go on to a page of ours. Opening them uses nothing up: scanners of mail do so too. */
function mountLinks(scope: FastifyInstance, { pageFor, ownAddress, isChallenged }: Protocol): void {
  scope.route<{ Querystring: OpenedLink }>({
    method: ['GET', 'HEAD'],
    url: '/verify',
    config: { outsideContract: 'page' },
    handler: async (request, reply) => {
      const [token, type, wanted] = [request.query.token, request.query.type, request.query.redirect_to].map((part) =>
        typeof part === 'string' ? part : '',
      ) as [string, string, string]
      const page = isChallenged(token) ? new URL(ownAddress(wanted)) : new URL(pageFor({ token, type }))
      if (isChallenged(token)) page.searchParams.set('code', token)
      return reply.code(303).header('Location', page.href).send()
    },
  })
}

function mountDescriptions(scope: FastifyInstance, { protocol, version }: Deps): void {
  const { settings } = protocol
  mount(scope, authProvider.jwks, async () => ({ keys: [...protocol.publicKeys] }))

  mount(scope, authProvider.health, async () => ({
    name: 'Sallyport',
    version,
    description: 'Sallyport keeps its own users and speaks the GoTrue protocol',
  }))

  mount(scope, authProvider.settings, async () => ({
    external: { email: true, phone: true, anonymous_users: settings.anonymous },
    disable_signup: !settings.signUp,
    mailer_autoconfirm: !settings.confirmAddresses,
    phone_autoconfirm: !settings.confirmNumbers,
    sms_provider: '',
    mfa_enabled: true,
    saml_enabled: false,
  }))
}

/** Ways in that the protocol knows and this provider does not offer. */
function mountForeignWays(scope: FastifyInstance): void {
  mount(scope, authProvider.singleSignOn, async () => {
    throw refuseAuth('saml_provider_disabled')
  })
  mount(scope, authProvider.authorise, async () => {
    throw refuseAuth('provider_disabled')
  })
  for (const identities of [authProvider.linkIdentity, authProvider.unlinkIdentity]) {
    mount(scope, identities, async () => {
      throw refuseAuth('manual_linking_disabled')
    })
  }
}
