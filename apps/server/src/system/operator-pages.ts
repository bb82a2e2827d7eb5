import type { FastifyInstance, RouteOptions } from 'fastify'
import { refuse } from '../errors.ts'

const yearMs = 365 * 24 * 3_600_000
const asText = { method: ['GET', 'HEAD'], config: { outsideContract: 'page' } } satisfies Partial<RouteOptions>

/** Only the front page is for search engines: other addresses are private or say nothing without a key. */
const robots = 'User-agent: *\nAllow: /$\nDisallow: /\n'

interface Wishes {
  readonly contact: string | undefined
  readonly now: () => number
}

/** What programs ask any site for: whom to report a security problem to, and what to index. */
export function operatorPages(app: FastifyInstance, { contact, now }: Wishes): void {
  app.route({
    ...asText,
    url: '/.well-known/security.txt',
    handler: (_, reply) => {
      if (contact === undefined) throw refuse('NOT_FOUND')
      const uri = /^https?:/.test(contact) ? contact : `mailto:${contact}`
      const expires = new Date(now() + yearMs).toISOString()
      return reply.type('text/plain; charset=utf-8').send(`Contact: ${uri}\nExpires: ${expires}\n`)
    },
  })
  app.route({
    ...asText,
    url: '/robots.txt',
    handler: (_, reply) => reply.type('text/plain; charset=utf-8').send(robots),
  })
}
