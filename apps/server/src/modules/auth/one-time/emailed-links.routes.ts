import { emailedLinks as contract, type EmailedLinkStatus } from '@sallyport/contract/emailed-links'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'

interface EmailedLinkRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  getLinkStatus(token: string): Promise<EmailedLinkStatus>
}

/** The status of emailed links. It belongs to the product's own API, because the auth protocol does not define it. */
export function emailedLinkRoutes(app: FastifyInstance, { rateLimiter, getLinkStatus }: EmailedLinkRoutesDeps): void {
  mount(app, contract.status, async ({ body, address }) => {
    await rateLimiter.require(`link-status|${address}`, rateLimits.linkStatusPerAddress)
    return { status: await getLinkStatus(body.token) }
  })
}
