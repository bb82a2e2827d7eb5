import { authProvider } from '@sallyport/contract/auth-calls'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../http/mount.ts'
import type { Protocol } from '../embedded-provider.ts'
import { refuseAuth } from './auth-refusal.ts'
import { challengeOf, policyOf } from './request-parts.ts'

/** The calls of people about themselves. */
export function userRoutes(scope: FastifyInstance, protocol: Protocol): void {
  mountSignIns(scope, protocol)
  mountMessages(scope, protocol)
  mountOwnUser(scope, protocol)
}

function mountSignIns(scope: FastifyInstance, protocol: Protocol): void {
  mount(scope, authProvider.token, async ({ query, headers, body, address, userAgent }) => {
    const beginning = { policy: policyOf(headers), origin: { address, userAgent } }
    const { email, phone, password, refresh_token, auth_code, code_verifier } = body
    switch (query.grant_type) {
      case 'password':
        return protocol.passwordGrant({
          email: email ?? undefined,
          phone: phone ?? undefined,
          credential: password ?? '',
          ...beginning,
        })
      case 'refresh_token':
        if (!refresh_token) throw refuseAuth('validation_failed', { text: 'refresh_token required' })
        return protocol.refresh(refresh_token, beginning.origin)
      case 'pkce':
        if (!auth_code || !code_verifier) {
          const text = 'invalid request: both auth code and code verifier should be non-empty'
          throw refuseAuth('validation_failed', { text })
        }
        return protocol.exchange(auth_code, code_verifier, beginning)
      case 'id_token':
        throw refuseAuth('provider_disabled')
      case 'web3':
        throw refuseAuth('web3_provider_disabled')
      default:
        throw refuseAuth('invalid_credentials', { text: 'unsupported_grant_type' })
    }
  })

  mount(scope, authProvider.signUp, async ({ query, headers, body, address, userAgent }) => {
    const { email, phone, password, data } = body
    return protocol.signUp({
      email: email ?? undefined,
      phone: phone ?? undefined,
      credential: password ?? '',
      metadata: data ?? {},
      challenge: challengeOf(body, protocol.settings),
      redirectTo: query.redirect_to,
      policy: policyOf(headers),
      origin: { address, userAgent },
    })
  })

  mount(scope, authProvider.verify, async ({ headers, body, address, userAgent }) => {
    const { type, token, token_hash, email, phone } = body
    return protocol.verify({
      type: type ?? '',
      token: token ?? undefined,
      tokenHash: token_hash ?? undefined,
      email: email ?? undefined,
      phone: phone ?? undefined,
      policy: policyOf(headers),
      origin: { address, userAgent },
    })
  })

  mount(scope, authProvider.signOut, async ({ headers, query }) => {
    const account = await protocol.identify(headers.authorization)
    await protocol.signOut(account, query.scope)
    return undefined
  })
}

function mountMessages(scope: FastifyInstance, protocol: Protocol): void {
  mount(scope, authProvider.otp, async ({ query, body, address, userAgent }) => {
    await protocol.otp({
      email: body.email ?? undefined,
      phone: body.phone ?? undefined,
      createUser: body.create_user ?? true,
      metadata: body.data ?? {},
      challenge: challengeOf(body, protocol.settings),
      redirectTo: query.redirect_to,
      origin: { address, userAgent },
    })
    return {}
  })

  mount(scope, authProvider.recover, async ({ query, body, address, userAgent }) => {
    await protocol.recover({
      email: body.email ?? undefined,
      challenge: challengeOf(body, protocol.settings),
      redirectTo: query.redirect_to,
      origin: { address, userAgent },
    })
    return {}
  })

  mount(scope, authProvider.resend, async ({ query, body, address, userAgent }) => {
    await protocol.resend({
      type: body.type ?? '',
      email: body.email ?? undefined,
      phone: body.phone ?? undefined,
      challenge: challengeOf(body, protocol.settings),
      redirectTo: query.redirect_to,
      origin: { address, userAgent },
    })
    return {}
  })

  mount(scope, authProvider.reauthenticate, async ({ headers }) => {
    await protocol.reauthenticate(await protocol.identify(headers.authorization))
    return {}
  })
}

function mountOwnUser(scope: FastifyInstance, protocol: Protocol): void {
  mount(scope, authProvider.user, async ({ headers }) => {
    const { userId } = await protocol.identify(headers.authorization)
    const user = await protocol.findUser(userId)
    if (!user) throw refuseAuth('session_not_found')
    return user
  })

  mount(scope, authProvider.changeUser, async ({ headers, query, body, address, userAgent }) => {
    const account = await protocol.identify(headers.authorization)
    return protocol.own.change(account, {
      email: body.email ?? undefined,
      phone: body.phone ?? undefined,
      credential: body.password ?? undefined,
      currentCredential: body.current_password ?? undefined,
      nonce: body.nonce ?? undefined,
      metadata: body.data ?? undefined,
      challenge: challengeOf(body, protocol.settings),
      redirectTo: query.redirect_to,
      origin: { address, userAgent },
    })
  })
}
