import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Readable } from 'node:stream'
import websocket from '@fastify/websocket'
import { errorCatalogue } from '@sallyport/contract/errors'
import { requestLimits, socketLimits } from '@sallyport/contract/server-limits'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { apiError } from '../../errors.ts'
import { createStateLog } from '../../state-log.ts'
import { createResources, type Resources } from '../rate-limit/resources.ts'
import { sendApiError } from './api-errors.ts'
import { bearerToken, type FindAccount } from './caller.ts'
import { parseJsonBodies, takesRaw } from './limits/json-bodies.ts'
import { limitRequestBodies } from './limits/request-bodies.ts'
import { limitUnsentResponses } from './limits/unsent-responses.ts'
import { isLocalRequest } from './local-requests.ts'
import { createClientErrorHandler, ignoreExpectHeader } from './malformed-requests.ts'
import { handleUnknownPaths } from './pages.ts'
import { responsePolicy, securityHeaders } from './security-headers.ts'
import { identifyAddresses } from './untrusted-proxy.ts'

interface AppOptions {
  readonly config: Pick<Config, 'TRUSTED_PROXIES' | 'OPERATOR_TOKEN'>
  readonly log: Logger
  readonly publicUrl: URL
  readonly findAccount: FindAccount
  /** Throws if the account's licence has expired. */
  readonly requireLicence: (userId: string) => Promise<void>
  /** Asked on every call of the admin area; without it nobody is an admin. */
  readonly isAdmin?: (userId: string) => Promise<boolean>
  /** The time that responses carry and by which data expires; defaults to that of the machine. */
  readonly now?: () => number
  /** The resource limits of the process; defaults to separate ones. */
  readonly resources?: Resources
}

/** Creates an application with the hooks that all routes share; modules mount their routes on it. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, now = Date.now, resources = createResources() } = options
  const trustedProxies = config.TRUSTED_PROXIES
  const headers = securityHeaders(options.publicUrl.protocol === 'https:')
  const setCommonHeaders = createHeaderSetter(headers, now)
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: requestLimits.jsonBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 256 },
    // Called for each address that is listened on.
    serverFactory: (handler) => createBoundedServer(handler, resources),
    clientErrorHandler: createClientErrorHandler(headers),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      sendApiError(error, request, reply)
    },
  })
  ignoreExpectHeader(app)
  app.decorateRequest('caller')
  app.decorate(
    'fullDisk',
    createStateLog({
      log: options.log,
      failed: 'no space is left: writes are rejected',
      recovered: 'there is space again: writes succeed',
    }),
  )
  // The first hook, so that error responses carry the headers, too.
  app.addHook('onRequest', async (request, reply) => setCommonHeaders(request, reply))
  identifyAddresses(app, trustedProxies)
  configureBodyParsing(app)
  limitRequestBodies(app, {
    limits: resources.limits,
    streamsBody: takesBytes,
    onLate: () => resources.countCut('late-body'),
  })
  limitUnsentResponses(app, resources)
  requireContractRoutes(app)
  authenticateCallers(app, options)
  logResponses(app)
  app.setErrorHandler(sendApiError)
  handleUnknownPaths(app)
  // The send queue of each socket answers pings.
  await app.register(websocket, { options: { autoPong: false } })
  limitFrames(app)
  return app
}

/** Creates a server that limits connections, the requests that wait on them, and their headers. */
function createBoundedServer(handler: RequestListener, { connections, pipelining }: Resources): Server {
  const server = createServer(
    {
      maxHeaderSize: requestLimits.headerBytes,
      // Uploads have a stall guard in place of a timeout; JSON bodies have their own deadline.
      requestTimeout: 0,
      headersTimeout: requestLimits.headerMs,
      keepAliveTimeout: requestLimits.keepAliveMs,
      connectionsCheckingInterval: requestLimits.headerCheckMs,
      shouldUpgradeCallback: ({ socket }) => !pipelining.isBusy(socket),
    },
    pipelining.handleInOrder(handler),
  )
  connections.guard(server)
  return server
}

/**
 * Sets the maximum frame length of each socket route. The ws server has one limit for all, which it reads for each
 * connection.
 */
function limitFrames(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const handler = route.handler
    route.handler = function (request, reply) {
      app.websocketServer.options.maxPayload = route.config?.frameBytes ?? socketLimits.frameBytes
      return handler.call(this, request, reply)
    }
  })
}

const octetStream = /^\s*application\/octet-stream\s*(;|$)/i

/**
 * Parses JSON bodies up to the size limit, passes octet streams through and rejects other types. The content type is
 * optional on routes that accept only bytes.
 */
function configureBodyParsing(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  parseJsonBodies(app)
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.headers['content-type'] === undefined && takesBytes(request)) done(null, payload)
    else done(apiError('UNSUPPORTED_MEDIA_TYPE'))
  })
  app.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') throw apiError('UNSUPPORTED_MEDIA_TYPE')
  })
  // After the caller is authorized and before the body is read: a chunk that is declared as JSON would be parsed as such.
  app.addHook('preParsing', async (request) => {
    const type = request.headers['content-type']
    if (type !== undefined && takesBytes(request) && !octetStream.test(type)) {
      throw apiError('UNSUPPORTED_MEDIA_TYPE', {
        text: `${errorCatalogue.UNSUPPORTED_MEDIA_TYPE.text}: send application/octet-stream`,
      })
    }
  })
  app.addHook('preHandler', async (request) => {
    const body = request.routeOptions.config.endpoint?.body
    const hasBytes = request.body instanceof Readable
    if (body !== undefined && takesBytes(request) !== hasBytes) throw apiError('UNSUPPORTED_MEDIA_TYPE')
    if (takesRaw(request) && !Buffer.isBuffer(request.body)) throw apiError('UNSUPPORTED_MEDIA_TYPE')
  })
}

function takesBytes(request: FastifyRequest): boolean {
  const body = request.routeOptions.config.endpoint?.body
  return body !== undefined && 'kind' in body && body.kind === 'bytes'
}

/** Throws when a route is added that is not in the contract. */
function requireContractRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.endpoint || route.config?.outsideContract) return
    throw new Error(`${route.method} ${route.url} is not in the contract`)
  })
}

function authenticateCallers(
  app: FastifyInstance,
  { config, findAccount, requireLicence, isAdmin = async () => false }: AppOptions,
): void {
  app.addHook('onRequest', async (request) => {
    const { access, allowWithout = [] } = request.routeOptions.config.endpoint ?? {}
    if (access === undefined) return
    // Reported before authentication: a key in the URL is exposed already.
    request.routeOptions.config.checkQuery?.(request.query as Record<string, unknown>)
    if (access === 'operator' && !isOperator(request, config.OPERATOR_TOKEN)) throw apiError('NOT_FOUND')
    const token = bearerToken(request.headers.authorization)
    const account = token === null || access === 'operator' ? null : await findAccount(token)
    const needsAccount = access === 'account' || access === 'admin'
    if (needsAccount && account === null) throw apiError(token === null ? 'NO_TOKEN' : 'SESSION_EXPIRED')
    const isPending = account?.mfaPending === true && !allowWithout.includes('second-factor')
    if (needsAccount && isPending) throw apiError('MFA_REQUIRED')
    if (needsAccount && account !== null && !allowWithout.includes('licence')) await requireLicence(account.userId)
    if (access === 'admin' && account !== null && !(await isAdmin(account.userId))) throw apiError('FORBIDDEN')
    request.caller = { account: isPending ? null : account }
  })
}

function isOperator(request: FastifyRequest, operatorToken: string | undefined): boolean {
  if (isLocalRequest(request)) return true
  if (operatorToken === undefined) return false
  return isSameToken(bearerToken(request.headers.authorization) ?? '', operatorToken)
}

/** Compares in constant time. */
function isSameToken(one: string, other: string): boolean {
  const hash = (token: string): Buffer => createHash('sha256').update(token).digest()
  return timingSafeEqual(hash(one), hash(other))
}

const createHeaderSetter =
  (headers: Readonly<Record<string, string>>, now: () => number) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers)
    reply.header('Date', new Date(now()).toUTCString())
    reply.header('X-Request-Id', request.id)
    reply.header('Cache-Control', 'no-store')
    reply.header('Content-Security-Policy', responsePolicy)
  }

function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode < 300 && takesBytes(request)) app.fullDisk.recover()
    // The route's pattern replaces the URL, which contains ids and tokens.
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
