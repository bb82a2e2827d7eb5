import { signInLimits } from '@sallyport/contract/limits'
import { signIns as contract } from '@sallyport/contract/sign-ins'
import type { FastifyInstance } from 'fastify'
import { withProductErrors } from '../auth/protocol/product-errors.ts'
import type { AuthProvider } from '../auth/provider.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'

interface Deps {
  readonly provider: Pick<AuthProvider, 'listSignIns' | 'endSignIns' | 'endOtherSignIns' | 'reauthenticate'>
}

export function signInRoutes(app: FastifyInstance, { provider }: Deps): void {
  mount(app, contract.list, async ({ caller }) => {
    const { userId, signInId } = caller.account
    const found = await provider.listSignIns(userId)
    return {
      signIns: found.map(({ id, policy, userAgent, createdAt, lastUsedAt, endsAt }) => ({
        id,
        current: id === signInId,
        userAgent,
        remembered: policy === 'remember',
        createdAt,
        lastUsedAt,
        endsAt,
      })),
    }
  })

  mount(app, contract.end, async ({ caller, params }) => {
    const { userId } = caller.account
    const found = await provider.listSignIns(userId)
    if (!found.some(({ id }) => id === params.id)) throw refuse('SIGN_IN_NOT_FOUND')
    await provider.endSignIns(userId, params.id)
    return {}
  })

  mount(app, contract.reauthenticate, async ({ caller, body, address, userAgent }) => {
    const { userId, signInId } = caller.account
    const origin = { address, userAgent }
    await withProductErrors(() => provider.reauthenticate({ userId, signInId, credential: body.password, origin }))
    return { freshForMs: signInLimits.proofMs }
  })

  mount(app, contract.endOthers, async ({ caller }) => {
    const { userId, signInId } = caller.account
    return { ended: await provider.endOtherSignIns(userId, signInId) }
  })
}
