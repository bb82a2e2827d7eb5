import { readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { refuse } from '../errors.ts'
import { answerRefusal } from './refusals.ts'
import { pagePolicy, workerPolicy } from './security-headers.ts'

const yearSeconds = 31_536_000
const asPage = { method: ['GET', 'HEAD'], config: { outsideContract: 'page' } } satisfies Partial<RouteOptions>

/**
 * Serves the built page: hashed files for a year, everything else checked each time, and the page itself on every route
 * of its own. Without a build there is nothing to serve, and the interface stands alone.
 */
export async function servePages(app: FastifyInstance, folder: string, providerOrigin: string | null): Promise<void> {
  const policy = pagePolicy(providerOrigin)
  const names = topFiles(folder)
  if (!names.includes('index.html')) return
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      const isWorker = /worker[^/]*\.js(\.br|\.gz)?$/.test(path)
      reply.header('Cache-Control', hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
      reply.header('Content-Security-Policy', isWorker ? workerPolicy : policy)
    },
  })
  app.route<{ Params: { '*': string } }>({
    ...asPage,
    url: '/assets/*',
    handler: (request, reply) => reply.sendFile(`assets/${request.params['*']}`),
  })
  for (const name of names) app.route({ ...asPage, url: `/${name}`, handler: (_, reply) => reply.sendFile(name) })
}

/** An address that leads nowhere: the page, which says so itself, for a person; a refusal for a program. */
export function answerUnknownAddress(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    // A request may name the whole address in place of the path.
    const path = request.url.replace(/^https?:\/\/[^/]*/i, '')
    const wantsPage = /^(GET|HEAD)$/.test(request.method) && !/^\/(api|auth\/v1|assets)(\/|$)/.test(path)
    if (!wantsPage || !app.hasReplyDecorator('sendFile')) return answerRefusal(refuse('NOT_FOUND'), request, reply)
    return reply.sendFile('index.html')
  })
}

/** The files that lie at the top of the build, without their compressed twins. */
function topFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && /^[^.].*\.(?!br$|gz$)\w+$/.test(entry.name))
      .map(({ name }) => name)
  } catch {
    return []
  }
}
