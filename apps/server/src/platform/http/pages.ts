import { readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import { isPagePath } from '@sallyport/contract/page-paths'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { apiError } from '../../errors.ts'
import { sendApiError } from './api-errors.ts'
import { pagePolicy, workerPolicy } from './security-headers.ts'

const yearSeconds = 31_536_000
const pageRoute = { method: ['GET', 'HEAD'], config: { outsideContract: 'page' } } satisfies Partial<RouteOptions>

/**
 * Serves the built web app: hashed assets are cached for a year, everything else is revalidated, and the paths of its
 * screens get index.html. Without a build, only the API is served.
 */
export async function servePages(app: FastifyInstance, folder: string, providerOrigin: string | null): Promise<void> {
  const policy = pagePolicy(providerOrigin)
  const names = listTopLevelFiles(folder)
  if (!names.includes('index.html')) return
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      const isWorker = /(\.worker|\/decrypt-worker)-[^/]*\.js(\.br|\.gz)?$/.test(path)
      reply.header('Cache-Control', hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
      reply.header('Content-Security-Policy', isWorker ? workerPolicy : policy)
    },
  })
  app.route<{ Params: { '*': string } }>({
    ...pageRoute,
    url: '/assets/*',
    handler: (request, reply) => reply.sendFile(`assets/${request.params['*']}`),
  })
  // Password managers open this path: https://www.w3.org/TR/change-password-url/
  app.route({ ...pageRoute, url: '/.well-known/change-password', handler: (_, reply) => reply.redirect('/settings') })
  for (const name of names) app.route({ ...pageRoute, url: `/${name}`, handler: (_, reply) => reply.sendFile(name) })
}

/** Handles the other paths: index.html for browsers, with 404 where the page has no screen; an error for API clients. */
export function handleUnknownPaths(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    // The request target may be an absolute URL.
    const path = request.url.replace(/^https?:\/\/[^/]*/i, '')
    const wantsPage = /^(GET|HEAD)$/.test(request.method) && !/^\/(api|auth\/v1|assets)(\/|$)/.test(path)
    if (!wantsPage || !app.hasReplyDecorator('sendFile')) return sendApiError(apiError('NOT_FOUND'), request, reply)
    const isKnown = isPagePath(path.replace(/[?#].*$/, ''))
    return reply.code(isKnown ? 200 : 404).sendFile('index.html')
  })
}

/** The files at the top level of the build, without their compressed copies. */
function listTopLevelFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && /^[^.].*\.(?!br$|gz$)\w+$/.test(entry.name))
      .map(({ name }) => name)
  } catch {
    return []
  }
}
