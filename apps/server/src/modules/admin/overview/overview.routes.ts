import { adminOverview as contract } from '@sallyport/contract/admin-overview'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { Overview } from './overview.service.ts'

interface OverviewRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly overview: Overview
}

export function overviewRoutes(app: FastifyInstance, { overview, rateLimiter }: OverviewRoutesDeps): void {
  const limitReads = (userId: string) => rateLimiter.require(`admin-reads|${userId}`, rateLimits.adminReadsPerAdmin)

  mount(app, contract.stats, async ({ caller, proxy }) => {
    await limitReads(caller.account.userId)
    return { ...(await overview.stats()), nginx_status: proxy }
  })

  mount(app, contract.volumes, async ({ caller }) => {
    await limitReads(caller.account.userId)
    return { volumes: await overview.volumes() }
  })
}
