import type { FastifyRequest } from 'fastify'
import { isLoopback } from './address.ts'

/** Headers that proxies add to a request. */
const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

export const hasForwardingHeaders = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  forwardingHeaders.some((header) => headers[header] !== undefined)

/** True for a host name of the local machine. */
export const isLoopbackHostname = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || isLoopback(hostname)

/**
 * True for a direct request from this machine; false for proxies on it and for other host names that resolve to it (DNS
 * rebinding).
 */
export function isLocalRequest(request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const name = URL.parse(`http://${request.headers.host}`)?.hostname ?? ''
  return isLoopback(request.socket.remoteAddress ?? '') && isLoopbackHostname(name) && !hasForwardingHeaders(request)
}
