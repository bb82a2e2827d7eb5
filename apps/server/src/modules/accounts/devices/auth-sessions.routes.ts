import { authSessions as contract } from '@sallyport/contract/auth-sessions'
import { authSessionLimits } from '@sallyport/contract/limits'
import type { FastifyInstance } from 'fastify'
import { apiError } from '../../../errors.ts'
import { mount } from '../../../platform/http/mount.ts'
import { withProductErrors } from '../../auth/protocol/product-errors.ts'
import type { AuthProvider } from '../../auth/provider.ts'

interface AuthSessionRoutesDeps {
  readonly provider: Pick<
    AuthProvider,
    'listAuthSessions' | 'listPastSignIns' | 'endAuthSessions' | 'endOtherAuthSessions' | 'reauthenticate'
  >
}

export function authSessionRoutes(app: FastifyInstance, { provider }: AuthSessionRoutesDeps): void {
  mount(app, contract.list, async ({ caller }) => {
    const { userId, authSessionId } = caller.account
    const found = await provider.listAuthSessions(userId)
    return {
      signIns: found.map(({ id, sessionLifetime, userAgent, createdAt, lastUsedAt, endsAt }) => ({
        id,
        current: id === authSessionId,
        userAgent,
        remembered: sessionLifetime === 'remember',
        createdAt,
        lastUsedAt,
        endsAt,
      })),
    }
  })

  mount(app, contract.history, async ({ caller }) => ({
    signIns: await provider.listPastSignIns(caller.account.userId),
  }))

  mount(app, contract.end, async ({ caller, params }) => {
    const { userId } = caller.account
    const found = await provider.listAuthSessions(userId)
    if (!found.some(({ id }) => id === params.id)) throw apiError('SIGN_IN_NOT_FOUND')
    await provider.endAuthSessions(userId, params.id)
    return {}
  })

  mount(app, contract.reauthenticate, async ({ caller, body, address, userAgent }) => {
    const { userId, authSessionId } = caller.account
    const origin = { address, userAgent }
    await withProductErrors(() => provider.reauthenticate({ userId, authSessionId, credential: body.password, origin }))
    return { freshForMs: authSessionLimits.proofMs }
  })

  mount(app, contract.endOthers, async ({ caller }) => {
    const { userId, authSessionId } = caller.account
    return { ended: await provider.endOtherAuthSessions(userId, authSessionId) }
  })
}
