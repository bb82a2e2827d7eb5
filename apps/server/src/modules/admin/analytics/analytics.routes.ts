import { adminAnalytics as contract } from '@sallyport/contract/admin-analytics'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { Analytics } from './analytics.service.ts'

interface AnalyticsRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly analytics: Analytics
}

const defaultDays = 30

export function analyticsRoutes(app: FastifyInstance, { analytics, rateLimiter }: AnalyticsRoutesDeps): void {
  mount(app, contract.analytics, async ({ caller, query }) => {
    await rateLimiter.require(`admin-reads|${caller.account.userId}`, rateLimits.adminReadsPerAdmin)
    return analytics.show(Number(query.days ?? defaultDays))
  })
}
