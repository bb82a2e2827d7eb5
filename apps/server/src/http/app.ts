import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import websocket from '@fastify/websocket'
import { requestLimits, socketLimits } from '@sallyport/contract/server-limits'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { refuse } from '../errors.ts'
import { boundBodies } from '../resources/request-bodies.ts'
import { createResources, type Resources } from '../resources/resources.ts'
import { boundAnswers } from '../resources/unsent-answers.ts'
import { answerBrokenRequest, overlookExpectations } from './broken-requests.ts'
import { bearerToken, type FindAccount } from './caller.ts'
import { answerUnknownAddress } from './pages.ts'
import { answerRefusal } from './refusals.ts'
import { answerPolicy, securityHeaders } from './security-headers.ts'
import { isFromThisMachine } from './this-machine.ts'
import { identifyAddresses } from './untrusted-proxy.ts'

interface Parts {
  readonly logger: Logger
  readonly findAccount: FindAccount
  /** Refuses an account whose licence has ended. */
  readonly demandLicence: (userId: string) => Promise<void>
  readonly trustedProxies: readonly string[]
  readonly publicUrl: URL
  readonly operatorToken: string | undefined
  /** The bounds of the process; bounds of its own without them. */
  readonly resources?: Resources
}

/** An empty application with the rules every call shares; features mount their routes on it. */
export async function createApp(parts: Parts): Promise<FastifyInstance> {
  const { resources = createResources() } = parts
  const headers = securityHeaders(parts.publicUrl.protocol === 'https:')
  const dress = dressWith(headers)
  const app = fastify({
    loggerInstance: parts.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: requestLimits.jsonBytes,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 256 },
    http: {
      maxHeaderSize: requestLimits.headerBytes,
      // Sealed bytes take as long as they move on; bodies of JSON have a deadline of their own.
      requestTimeout: 0,
      headersTimeout: requestLimits.headerMs,
      connectionsCheckingInterval: requestLimits.headerCheckMs,
    },
    clientErrorHandler: answerBrokenRequest(headers),
    frameworkErrors: (error, request, reply) => {
      dress(request, reply)
      answerRefusal(error, request, reply)
    },
  })
  overlookExpectations(app)
  resources.connections.guard(app.server)
  app.decorateRequest('caller')
  // First of all, so that refusals wear the headers of every answer too.
  app.addHook('onRequest', async (request, reply) => dress(request, reply))
  identifyAddresses(app, parts.trustedProxies)
  acceptBodies(app)
  boundBodies(app, {
    limits: resources.limits,
    streamsBody: takesBytes,
    onLate: () => resources.countCut('late-body'),
  })
  boundAnswers(app, resources)
  guardRoutes(app)
  identifyCallers(app, parts)
  logAnswers(app)
  app.setErrorHandler(answerRefusal)
  answerUnknownAddress(app)
  // The send queue of each socket answers pings.
  await app.register(websocket, { options: { autoPong: false } })
  boundFrames(app)
  return app
}

/** Each socket takes frames of the length its route allows. The library knows one length for all, read at each opening. */
function boundFrames(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const open = route.handler
    route.handler = function (request, reply) {
      app.websocketServer.options.maxPayload = route.config?.frameBytes ?? socketLimits.frameBytes
      return open.call(this, request, reply)
    }
  })
}

/**
 * JSON is read whole and small; octet streams are handed on untouched; nothing else is taken. Bytes need not say what
 * they are where a route takes nothing but bytes.
 */
function acceptBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.headers['content-type'] === undefined && takesBytes(request)) done(null, payload)
    else done(refuse('UNSUPPORTED_MEDIA_TYPE'))
  })
  app.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') throw refuse('UNSUPPORTED_MEDIA_TYPE')
  })
  app.addHook('preHandler', async (request) => {
    const body = request.routeOptions.config.endpoint?.body
    const hasBytes = request.body instanceof Readable
    if (body !== undefined && takesBytes(request) !== hasBytes) throw refuse('UNSUPPORTED_MEDIA_TYPE')
  })
}

function takesBytes(request: FastifyRequest): boolean {
  const body = request.routeOptions.config.endpoint?.body
  return body !== undefined && 'kind' in body
}

/** A route that is not in the contract stops the start. */
function guardRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.endpoint || route.config?.outsideContract) return
    throw new Error(`${route.method} ${route.url} is not in the contract`)
  })
}

function identifyCallers(app: FastifyInstance, { findAccount, demandLicence, operatorToken }: Parts): void {
  app.addHook('onRequest', async (request) => {
    const { access, without = [] } = request.routeOptions.config.endpoint ?? {}
    if (access === undefined) return
    // An address that carries a key is told so even to who would be turned away: the key is out already.
    request.routeOptions.config.refuseAddress?.(request.query as Record<string, unknown>)
    if (access === 'operator' && !isOperator(request, operatorToken)) throw refuse('NOT_FOUND')
    const token = bearerToken(request.headers.authorization)
    const account = token === null || access === 'operator' ? null : await findAccount(token)
    if (access === 'account' && account === null) throw refuse(token === null ? 'NO_TOKEN' : 'SESSION_EXPIRED')
    const isPending = account?.secondFactorPending === true && !without.includes('second-factor')
    if (access === 'account' && isPending) throw refuse('MFA_REQUIRED')
    if (access === 'account' && account !== null && !without.includes('licence')) await demandLicence(account.userId)
    request.caller = { account: isPending ? null : account }
  })
}

function isOperator(request: FastifyRequest, operatorToken: string | undefined): boolean {
  if (operatorToken === undefined) return isFromThisMachine(request)
  return isSameToken(bearerToken(request.headers.authorization) ?? '', operatorToken)
}

/** Compares without telling by the time how much of a token is right. */
function isSameToken(one: string, other: string): boolean {
  const hash = (token: string): Buffer => createHash('sha256').update(token).digest()
  return timingSafeEqual(hash(one), hash(other))
}

const dressWith =
  (headers: Readonly<Record<string, string>>) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers)
    reply.header('X-Request-Id', request.id)
    reply.header('Cache-Control', 'no-store')
    reply.header('Content-Security-Policy', answerPolicy)
  }

function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern stands for the address: addresses carry ids and tokens.
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
