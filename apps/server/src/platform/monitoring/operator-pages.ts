import type { FastifyInstance, RouteOptions } from 'fastify'
import { apiError } from '../../errors.ts'

const yearMs = 365 * 24 * 3_600_000
const textRoute = { method: ['GET', 'HEAD'], config: { outsideContract: 'page' } } satisfies Partial<RouteOptions>

/** Search engines may index only the front page: other pages are private or useless without a key. */
/** A search engine has to fetch a page to see that it must not be listed. */
const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /auth/v1/\n'

interface OperatorPagesOptions {
  readonly contact: string | undefined
  readonly now: () => number
}

/** Serves security.txt and robots.txt. */
export function operatorPages(app: FastifyInstance, { contact, now }: OperatorPagesOptions): void {
  app.route({
    ...textRoute,
    url: '/.well-known/security.txt',
    handler: (_, reply) => {
      if (contact === undefined) throw apiError('NOT_FOUND')
      const uri = /^https?:/.test(contact) ? contact : `mailto:${contact}`
      const expires = new Date(now() + yearMs).toISOString()
      return reply.type('text/plain; charset=utf-8').send(`Contact: ${uri}\nExpires: ${expires}\n`)
    },
  })
  app.route({
    ...textRoute,
    url: '/robots.txt',
    handler: (_, reply) => reply.type('text/plain; charset=utf-8').send(robots),
  })
}
