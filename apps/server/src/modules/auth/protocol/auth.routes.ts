import { authPrefix } from '@sallyport/contract/auth'
import { authProvider } from '@sallyport/contract/auth-calls'
import type { FastifyInstance } from 'fastify'
import { parseJsonBodies } from '../../../platform/http/limits/json-bodies.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { AuthProtocol } from '../embedded-provider.ts'
import { factorRoutes } from '../factors/factors.routes.ts'
import { adminRoutes } from './admin.routes.ts'
import { authError } from './auth-error.ts'
import { sendAuthError } from './send-auth-error.ts'
import { userRoutes } from './users.routes.ts'

interface AuthRoutesDeps {
  readonly protocol: AuthProtocol
  readonly version: string
  /** The path prefix of all endpoints; a provider on a host of its own has none. */
  readonly prefix?: string
}

const keysCacheSeconds = 600

/** Mounts the endpoints of the embedded provider under the prefix that its clients expect. */
export async function authRoutes(
  app: FastifyInstance,
  { prefix = authPrefix, ...deps }: AuthRoutesDeps,
): Promise<void> {
  await app.register(
    async (scope) => {
      configureProtocol(scope)
      userRoutes(scope, deps.protocol)
      factorRoutes(scope, deps.protocol)
      adminRoutes(scope, deps.protocol)
      mountVerifyLink(scope, deps.protocol)
      mountMetadata(scope, deps)
      mountUnsupportedMethods(scope)
    },
    { prefix },
  )
}

/** Sends errors in the protocol's format, accepts missing bodies and makes the public keys cacheable. */
function configureProtocol(scope: FastifyInstance): void {
  scope.setErrorHandler(sendAuthError)
  // The published client sends a JSON content type even with an empty body.
  parseJsonBodies(scope, { acceptsEmpty: true })
  scope.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.endpoint !== authProvider.jwks) return
    reply.header('Cache-Control', `public, max-age=${keysCacheSeconds}`)
  })
}

interface VerifyLinkQuery {
  readonly token?: unknown
  readonly type?: unknown
  readonly redirect_to?: unknown
}

/** Redirects links to a page of the web app. A GET consumes nothing, because email scanners open links, too. */
function mountVerifyLink(scope: FastifyInstance, { pageFor, sameOriginUrl, isPkceToken }: AuthProtocol): void {
  scope.route<{ Querystring: VerifyLinkQuery }>({
    method: ['GET', 'HEAD'],
    url: '/verify',
    config: { outsideContract: 'page' },
    handler: async (request, reply) => {
      const [token, type, redirectTo] = [request.query.token, request.query.type, request.query.redirect_to].map(
        (value) => (typeof value === 'string' ? value : ''),
      ) as [string, string, string]
      const page = isPkceToken(token) ? new URL(sameOriginUrl(redirectTo)) : new URL(pageFor({ token, type }))
      if (isPkceToken(token)) page.searchParams.set('code', token)
      return reply.code(303).header('Location', page.href).send()
    },
  })
}

function mountMetadata(scope: FastifyInstance, { protocol, version }: AuthRoutesDeps): void {
  const { settings } = protocol
  mount(scope, authProvider.jwks, async () => ({ keys: [...protocol.publicKeys] }))

  mount(scope, authProvider.health, async () => ({
    name: 'Sallyport',
    version,
    description: 'Sallyport manages its own users and implements the GoTrue protocol',
  }))

  mount(scope, authProvider.settings, async () => ({
    external: { email: true, phone: true, anonymous_users: settings.anonymous },
    disable_signup: !settings.signUp,
    mailer_autoconfirm: !settings.confirmEmails,
    phone_autoconfirm: !settings.confirmPhones,
    sms_provider: '',
    mfa_enabled: true,
    saml_enabled: false,
  }))
}

/** Rejects the authentication methods of the protocol that this provider does not support. */
function mountUnsupportedMethods(scope: FastifyInstance): void {
  mount(scope, authProvider.singleSignOn, async () => {
    throw authError('saml_provider_disabled')
  })
  mount(scope, authProvider.authorise, async () => {
    throw authError('provider_disabled')
  })
  for (const endpoint of [authProvider.linkIdentity, authProvider.unlinkIdentity]) {
    mount(scope, endpoint, async () => {
      throw authError('manual_linking_disabled')
    })
  }
}
