import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../errors.ts'
import { answerRefusal } from './refusals.ts'
import { pagePolicy, workerPolicy } from './security-headers.ts'

const yearSeconds = 31_536_000

/** Serves the built page: hashed files for a year, everything else checked each time, and the page itself on every route of its own. */
export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return
  await app.register(async (pages) => {
    await pages.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['**/*.br', '**/*.gz', '**/*.map'],
      setHeaders: (reply, path) => {
        const hashed = path.includes('/assets/')
        reply.header('Cache-Control', hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
        reply.header('Content-Security-Policy', /worker[^/]*\.js(\.br|\.gz)?$/.test(path) ? workerPolicy : pagePolicy)
      },
    })
  })
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && !/^\/(api|auth\/v1|assets)(\/|$)/.test(request.url)
    if (!wantsPage) return answerRefusal(refuse('NOT_FOUND'), request, reply)
    return reply.sendFile('index.html')
  })
}
