import { adminSecurity as contract } from '@sallyport/contract/admin-security'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { Security } from './security.service.ts'

interface SecurityRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly security: Security
}

const defaultDays = 30

export function securityRoutes(app: FastifyInstance, { security, rateLimiter }: SecurityRoutesDeps): void {
  const limitReads = (userId: string) => rateLimiter.require(`admin-reads|${userId}`, rateLimits.adminReadsPerAdmin)

  mount(app, contract.security, async ({ caller, query }) => {
    await limitReads(caller.account.userId)
    return security.show(Number(query.days ?? defaultDays))
  })

  mount(app, contract.audit, async ({ caller, query }) => {
    await limitReads(caller.account.userId)
    return security.listAudit(query)
  })
}
