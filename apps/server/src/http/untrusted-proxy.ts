import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../errors.ts'
import { addressBlock, isLocalBlock } from './address.ts'
import { networksOf } from './networks.ts'
import { shownPin } from './shown-pin.ts'
import { hasForwardingHeaders } from './this-machine.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The block of addresses a request came from, for limits only. */
    clientBlock: string
    /** True where a proxy of a local network is not trusted, so that all its visitors seem to be at one address. */
    isBehindUntrustedProxy: boolean
    /** True for the address of a trusted proxy itself, which stands for many people. */
    isFromTrustedProxy: boolean
  }
}

/** The one address of everyone behind a proxy that is not trusted; no local network, so nothing is made easier for it. */
const untrustedProxyBlock = 'untrusted-proxy'

/**
 * Finds out what address a request counts for. Where no proxy is trusted, a request of a local network that was
 * forwarded counts as one of the internet, and the log says once how to set the server up.
 */
export function identifyAddresses(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const isProxy = networksOf(trustedProxies)
  let isWarned = false
  app.decorateRequest('clientBlock', '')
  app.decorateRequest('isBehindUntrustedProxy', false)
  app.decorateRequest('isFromTrustedProxy', false)
  app.addHook('onRequest', async (request) => {
    request.clientBlock = addressBlock(request.ip)
    request.isFromTrustedProxy = isProxy(request.ip)
    if (trustedProxies.length > 0 || !hasForwardingHeaders(request) || !isLocalBlock(request.clientBlock)) return
    request.clientBlock = untrustedProxyBlock
    request.isBehindUntrustedProxy = true
    if (isWarned) return
    isWarned = true
    request.log.warn(
      'A proxy forwards requests, but TRUSTED_PROXIES does not name it: all visitors share one address and its limits, ' +
        `and PINs are refused to visitors. If the proxy is yours, set TRUSTED_PROXIES=${request.ip}`,
    )
  })
  app.addHook('preHandler', async (request) => {
    if (shownPin(request) !== undefined) refuseVisitorsBehindUntrustedProxy(request, request.caller?.account?.userId)
  })
}

/** Wrong PINs of one visitor would lock all others out, so visitors are sent to the operator instead. */
export function refuseVisitorsBehindUntrustedProxy(request: FastifyRequest, userId: string | undefined): void {
  if (request.isBehindUntrustedProxy && userId === undefined) throw refuse('PROXY_NOT_TRUSTED')
}
