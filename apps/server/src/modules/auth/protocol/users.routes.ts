import { authProvider } from '@sallyport/contract/auth-calls'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { AuthProtocol } from '../embedded-provider.ts'
import { authError } from './auth-error.ts'
import { createMessageFields, sessionLifetimeOf, withoutNulls } from './request-fields.ts'

/** The user endpoints: authentication, messages and the current user. */
export function userRoutes(scope: FastifyInstance, protocol: AuthProtocol): void {
  mountAuthentication(scope, protocol)
  mountMessages(scope, protocol)
  mountOwnUser(scope, protocol)
}

function mountAuthentication(scope: FastifyInstance, protocol: AuthProtocol): void {
  const messageFields = createMessageFields(protocol.settings)
  mount(scope, authProvider.token, async ({ query, headers, body, address, userAgent }) => {
    const context = { sessionLifetime: sessionLifetimeOf(headers), origin: { address, userAgent } }
    const { email, phone, password: credential = '', refresh_token, auth_code, code_verifier } = withoutNulls(body)
    switch (query.grant_type) {
      case 'password':
        return protocol.passwordGrant({ email, phone, credential, ...context })
      case 'refresh_token':
        if (!refresh_token) throw authError('validation_failed', { text: 'refresh_token required' })
        return protocol.refresh(refresh_token, context.origin)
      case 'pkce':
        if (!auth_code || !code_verifier) {
          const text = 'invalid request: both auth code and code verifier should be non-empty'
          throw authError('validation_failed', { text })
        }
        return protocol.exchange(auth_code, code_verifier, context)
      case 'id_token':
        throw authError('provider_disabled')
      case 'web3':
        throw authError('web3_provider_disabled')
      default:
        throw authError('invalid_credentials', { text: 'unsupported_grant_type' })
    }
  })

  mount(scope, authProvider.signUp, async (request) => {
    const { email, phone, password: credential = '', data: metadata = {} } = withoutNulls(request.body)
    const sessionLifetime = sessionLifetimeOf(request.headers)
    return protocol.signUp({ email, phone, credential, metadata, sessionLifetime, ...messageFields(request) })
  })

  mount(scope, authProvider.verify, async ({ headers, body, address, userAgent }) => {
    const { type = '', token, token_hash: tokenHash, email, phone } = withoutNulls(body)
    const context = { sessionLifetime: sessionLifetimeOf(headers), origin: { address, userAgent } }
    return protocol.verify({ type, token, tokenHash, email, phone, ...context })
  })

  mount(scope, authProvider.signOut, async ({ headers, query }) => {
    const account = await protocol.authenticate(headers.authorization)
    await protocol.signOut(account, query.scope)
    return undefined
  })
}

function mountMessages(scope: FastifyInstance, protocol: AuthProtocol): void {
  const messageFields = createMessageFields(protocol.settings)
  mount(scope, authProvider.otp, async (request) => {
    const { email, phone, create_user: createUser = true, data: metadata = {} } = withoutNulls(request.body)
    await protocol.otp({ email, phone, createUser, metadata, ...messageFields(request) })
    return {}
  })

  mount(scope, authProvider.recover, async (request) => {
    const { email } = withoutNulls(request.body)
    await protocol.recover({ email, ...messageFields(request) })
    return {}
  })

  mount(scope, authProvider.resend, async (request) => {
    const { type = '', email, phone } = withoutNulls(request.body)
    await protocol.resend({ type, email, phone, ...messageFields(request) })
    return {}
  })

  mount(scope, authProvider.reauthenticate, async ({ headers }) => {
    await protocol.reauthenticate(await protocol.authenticate(headers.authorization))
    return {}
  })
}

function mountOwnUser(scope: FastifyInstance, protocol: AuthProtocol): void {
  const messageFields = createMessageFields(protocol.settings)
  mount(scope, authProvider.user, async ({ headers }) => {
    const { userId } = await protocol.authenticate(headers.authorization)
    const user = await protocol.findUser(userId)
    if (!user) throw authError('session_not_found')
    return user
  })

  mount(scope, authProvider.changeUser, async (request) => {
    const account = await protocol.authenticate(request.headers.authorization)
    const { email, phone, password, current_password, nonce, data } = withoutNulls(request.body)
    const changes = { email, phone, nonce, credential: password, currentCredential: current_password, metadata: data }
    return protocol.ownUser.change(account, { ...changes, ...messageFields(request) })
  })
}
