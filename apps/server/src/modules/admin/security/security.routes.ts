import { adminSecurity as contract } from '@sallyport/contract/admin-security'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { LimitReads } from '../limit-reads.ts'
import type { Security } from './security.service.ts'

interface SecurityRoutesDeps {
  readonly limitReads: LimitReads
  readonly security: Security
}

const defaultDays = 30

export function securityRoutes(app: FastifyInstance, { security, limitReads }: SecurityRoutesDeps): void {
  mount(app, contract.security, async ({ caller, query }) => {
    await limitReads(caller.account)
    return security.show(Number(query.days ?? defaultDays))
  })

  mount(app, contract.audit, async ({ caller, query }) => {
    await limitReads(caller.account)
    return security.listAudit(query)
  })
}
