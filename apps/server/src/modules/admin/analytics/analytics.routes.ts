import { adminAnalytics as contract } from '@sallyport/contract/admin-analytics'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { LimitReads } from '../limit-reads.ts'
import type { Analytics } from './analytics.service.ts'

interface AnalyticsRoutesDeps {
  readonly limitReads: LimitReads
  readonly analytics: Analytics
}

const defaultDays = 30

export function analyticsRoutes(app: FastifyInstance, { analytics, limitReads }: AnalyticsRoutesDeps): void {
  mount(app, contract.analytics, async ({ caller, query }) => {
    await limitReads(caller.account)
    return analytics.show(Number(query.days ?? defaultDays))
  })
}
