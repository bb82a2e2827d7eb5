import type { FastifyRequest } from 'fastify'
import { isLoopback } from './address.ts'

/** What proxies add to a request. */
const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

export const hasForwardingHeaders = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  forwarding.some((header) => headers[header] !== undefined)

/** True for a host name that leads to the machine itself. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || isLoopback(hostname)

/** True for a user of this machine: neither for a proxy on it, nor for a foreign name that was made to lead here. */
export function isFromThisMachine(request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const name = URL.parse(`http://${request.headers.host}`)?.hostname ?? ''
  return isLoopback(request.socket.remoteAddress ?? '') && isLoopbackName(name) && !hasForwardingHeaders(request)
}
