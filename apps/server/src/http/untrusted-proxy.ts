import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../errors.ts'
import { addressBlock, isLocalBlock, isLoopback } from './address.ts'
import { hasForwardingHeaders } from './this-machine.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The block of addresses a request came from, for limits only. */
    clientBlock: string
    /** True where a proxy on this machine is not trusted, so that everyone seems to be at one address. */
    isBehindUntrustedProxy: boolean
  }
}

/** The one address of everyone behind a proxy that is not trusted; no local network, so nothing is made easier for it. */
const untrustedProxyBlock = 'untrusted-proxy'

/**
 * Finds out what address a request counts for. Where no proxy is trusted, a request of a local network that was
 * forwarded counts as one of the internet, and the log says once how to set the server up.
 */
export function identifyAddresses(app: FastifyInstance, trustsProxies: boolean): void {
  let isWarned = false
  app.decorateRequest('clientBlock', '')
  app.decorateRequest('isBehindUntrustedProxy', false)
  app.addHook('onRequest', async (request) => {
    request.clientBlock = addressBlock(request.ip)
    if (trustsProxies || !hasForwardingHeaders(request) || !isLocalBlock(request.clientBlock)) return
    request.clientBlock = untrustedProxyBlock
    request.isBehindUntrustedProxy = isLoopback(request.ip)
    if (isWarned || !request.isBehindUntrustedProxy) return
    isWarned = true
    request.log.warn(
      'A proxy on this machine forwards requests, but TRUSTED_PROXIES does not name it: all visitors share one address ' +
        'and its limits, and PINs are refused to visitors. Set TRUSTED_PROXIES=127.0.0.1,::1',
    )
  })
  app.addHook('preHandler', async (request) => {
    if (takesPin(request)) refuseVisitorsBehindUntrustedProxy(request, request.caller?.account?.userId)
  })
}

function takesPin({ headers, body }: FastifyRequest): boolean {
  const isNamed = typeof body === 'object' && body !== null && 'session_pin' in body
  return isNamed || headers['x-session-pin'] !== undefined
}

/** Wrong PINs of one visitor would lock all others out, so visitors are sent to the operator instead. */
export function refuseVisitorsBehindUntrustedProxy(request: FastifyRequest, userId: string | undefined): void {
  if (request.isBehindUntrustedProxy && userId === undefined) throw refuse('PROXY_NOT_TRUSTED')
}
