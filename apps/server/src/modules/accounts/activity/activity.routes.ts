import { activityLimits, activity as contract } from '@sallyport/contract/activity'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'

export function activityRoutes(app: FastifyInstance, { listActivity }: Pick<ServerContext, 'listActivity'>): void {
  mount(app, contract.list, async ({ caller }) => ({
    activity: await listActivity(caller.account.userId, activityLimits.perPage),
  }))
}
