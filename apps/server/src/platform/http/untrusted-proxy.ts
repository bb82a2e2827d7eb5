import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiError } from '../../errors.ts'
import { addressBlock, isLocalBlock } from './address.ts'
import { findClientAddress } from './forwarded-address.ts'
import { hasForwardingHeaders } from './local-requests.ts'
import { createNetworkMatcher } from './networks.ts'
import { pinOfRequest } from './request-pin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** How the request came: without a proxy, through one that is trusted, or through one that is not. */
    proxy: 'direct' | 'passing' | 'untrusted'
    /** The address block of the client, for rate limits only. */
    clientBlock: string
    /** True behind a local proxy that is not trusted, so that all of its visitors seem to have one address. */
    isBehindUntrustedProxy: boolean
    /** True if the request comes from the address of a trusted proxy itself, which many users share. */
    isFromTrustedProxy: boolean
  }
}

/** The shared block of all clients behind an untrusted proxy. It is not local, so that no limit is relaxed for it. */
const untrustedProxyBlock = 'untrusted-proxy'

/**
 * Determines the address block of each request. Without a trusted proxy, a forwarded request from a local network is
 * treated as public, and a warning that names the setting is logged once.
 */
export function identifyAddresses(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const isProxy = createNetworkMatcher(trustedProxies)
  let isWarned = false
  let isUnreadableLogged = false
  app.decorateRequest('clientBlock', '')
  app.decorateRequest('proxy', 'direct')
  app.decorateRequest('isBehindUntrustedProxy', false)
  app.decorateRequest('isFromTrustedProxy', false)
  app.addHook('onRequest', async (request) => {
    const remoteAddress = request.socket.remoteAddress ?? ''
    const { address, unreadable } = findClientAddress({ remoteAddress, headers: request.headers }, isProxy)
    if (unreadable !== null && !isUnreadableLogged) {
      isUnreadableLogged = true
      request.log.warn(
        `The proxy ${address} names clients by something that is not an address: all of them share its limits`,
      )
    }
    request.clientBlock = addressBlock(address)
    if (hasForwardingHeaders(request)) request.proxy = isProxy(remoteAddress) ? 'passing' : 'untrusted'
    request.isFromTrustedProxy = isProxy(address)
    if (trustedProxies.length > 0 || !hasForwardingHeaders(request) || !isLocalBlock(request.clientBlock)) return
    request.clientBlock = untrustedProxyBlock
    request.isBehindUntrustedProxy = true
    if (isWarned) return
    isWarned = true
    request.log.warn(
      'A proxy forwards requests but is not in TRUSTED_PROXIES: all visitors share one address and its limits, ' +
        `and visitors cannot use PINs. If the proxy is yours, set TRUSTED_PROXIES=${address}`,
    )
  })
  app.addHook('preHandler', async (request) => {
    if (pinOfRequest(request) !== undefined)
      rejectVisitorsBehindUntrustedProxy(request, request.caller?.account?.userId)
  })
}

/** Wrong PINs of one visitor would lock out all others, so visitors get an error for the operator instead. */
export function rejectVisitorsBehindUntrustedProxy(request: FastifyRequest, userId: string | undefined): void {
  if (request.isBehindUntrustedProxy && userId === undefined) throw apiError('PROXY_NOT_TRUSTED')
}
