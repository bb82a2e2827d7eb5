import { isPagePath } from '@sallyport/contract/page-paths'
import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify'
import { apiError } from '../../errors.ts'
import { sendApiError } from './api-errors.ts'
import { matchesEntityTag, readPageFiles, selectVariant } from './page-files.ts'
import { pagePolicy, workerPolicy } from './security-headers.ts'

const yearSeconds = 31_536_000
const pageRoute = { method: ['GET', 'HEAD'], config: { outsideContract: 'page' } } satisfies Partial<RouteOptions>

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends a file of the page, or 404. Null on a server without a page. */
    sendPageFile: ((reply: FastifyReply, path: string) => FastifyReply) | null
  }
}

/**
 * Serves the built web app: hashed assets are cached for a year, everything else is revalidated, and the paths of its
 * screens get index.html. Without a build, only the API is served.
 */
export function servePages(app: FastifyInstance, folder: string, providerOrigin: string | null): void {
  const files = readPageFiles(folder)
  if (!files.has('index.html')) return
  const policy = pagePolicy(providerOrigin)

  function sendPageFile(reply: FastifyReply, path: string): FastifyReply {
    const file = files.get(path)
    if (!file) throw apiError('NOT_FOUND')
    const { headers } = reply.request
    const variant = selectVariant(file, headers['accept-encoding'])
    const isWorker = /(\.worker|\/decrypt-worker)-[^/]*\.js$/.test(path)
    reply.headers({
      'Cache-Control': path.startsWith('assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
      'Content-Security-Policy': isWorker ? workerPolicy : policy,
      ETag: variant.entityTag,
      Vary: 'Accept-Encoding',
    })
    // A link that was found elsewhere must not be listed by its address.
    if (path === 'index.html' && reply.request.url !== '/') reply.header('X-Robots-Tag', 'noindex')
    if (reply.statusCode === 200 && matchesEntityTag(variant, headers['if-none-match'])) return reply.code(304).send()
    if (variant.encoding) reply.header('Content-Encoding', variant.encoding)
    reply.hasSharedBytes = true
    return reply.type(file.contentType).send(variant.bytes)
  }

  app.sendPageFile = sendPageFile
  app.route<{ Params: { '*': string } }>({
    ...pageRoute,
    url: '/assets/*',
    handler: (request, reply) => sendPageFile(reply, `assets/${request.params['*']}`),
  })
  // Password managers open this path: https://www.w3.org/TR/change-password-url/
  app.route({ ...pageRoute, url: '/.well-known/change-password', handler: (_, reply) => reply.redirect('/settings') })
  const names = [...files.keys()].filter((path) => !path.includes('/'))
  for (const name of names)
    app.route({ ...pageRoute, url: `/${name}`, handler: (_, reply) => sendPageFile(reply, name) })
}

/** Handles the other paths: index.html for browsers, with 404 where the page has no screen; an error for API clients. */
export function handleUnknownPaths(app: FastifyInstance): void {
  app.decorate('sendPageFile', null)
  app.setNotFoundHandler((request, reply) => {
    // The request target may be an absolute URL.
    const path = request.url.replace(/^https?:\/\/[^/]*/i, '')
    const wantsPage = /^(GET|HEAD)$/.test(request.method) && !/^\/(api|auth\/v1|assets)(\/|$)/.test(path)
    if (!wantsPage || !app.sendPageFile) return sendApiError(apiError('NOT_FOUND'), request, reply)
    const isKnown = isPagePath(path.replace(/[?#].*$/, ''))
    return app.sendPageFile(reply.code(isKnown ? 200 : 404), 'index.html')
  })
}
