import { authProvider } from '@sallyport/contract/auth-calls'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { AuthProtocol } from '../embedded-provider.ts'

/** Endpoints that enrol, challenge, verify and remove second factors. */
export function factorRoutes(scope: FastifyInstance, { authenticate, factors }: AuthProtocol): void {
  mount(scope, authProvider.enrol, async ({ headers, body }) => {
    const account = await authenticate(headers.authorization)
    return factors.enrol(account, {
      type: body.factor_type ?? undefined,
      friendlyName: body.friendly_name ?? undefined,
      issuer: body.issuer ?? undefined,
      phone: body.phone ?? undefined,
    })
  })

  mount(scope, authProvider.challenge, async ({ headers, params }) =>
    factors.challenge(await authenticate(headers.authorization), params.id),
  )

  mount(scope, authProvider.verifyFactor, async ({ headers, params, body, address }) => {
    const account = await authenticate(headers.authorization)
    return factors.verify(account, params.id, { challengeId: body.challenge_id ?? '', code: body.code ?? '', address })
  })

  mount(scope, authProvider.unenrol, async ({ headers, params }) => {
    await factors.unenrol(await authenticate(headers.authorization), params.id)
    return { id: params.id }
  })
}
