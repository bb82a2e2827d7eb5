import { adminOverview as contract } from '@sallyport/contract/admin-overview'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { LimitReads } from '../limit-reads.ts'
import type { Overview } from './overview.service.ts'

interface OverviewRoutesDeps {
  readonly limitReads: LimitReads
  readonly overview: Overview
}

export function overviewRoutes(app: FastifyInstance, { overview, limitReads }: OverviewRoutesDeps): void {
  mount(app, contract.stats, async ({ caller, proxy }) => {
    await limitReads(caller.account)
    return { ...(await overview.stats()), nginx_status: proxy }
  })

  mount(app, contract.volumes, async ({ caller }) => {
    await limitReads(caller.account)
    return { volumes: await overview.volumes() }
  })
}
