import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

interface ForwardedRequest {
  /** The address of the connection. */
  readonly remoteAddress: string
  readonly headers: IncomingHttpHeaders
}

interface ClientAddress {
  readonly address: string
  /** What a trusted proxy named as the address, if it is none. */
  readonly unreadable: string | null
}

/**
 * The address of a client: the last one of X-Forwarded-For, or else of Forwarded (RFC 7239), that is not a trusted
 * proxy's. What is no address counts as the proxy that has named it.
 */
export function findClientAddress(
  { remoteAddress, headers }: ForwardedRequest,
  isProxy: (address: string) => boolean,
): ClientAddress {
  let address = remoteAddress
  const hops = readHops(headers)
  while (isProxy(address)) {
    const hop = hops.pop()
    if (hop === undefined) break
    const named = parseAddress(hop)
    if (named === null) return { address, unreadable: hop }
    address = named
  }
  return { address, unreadable: null }
}

/** Parses an address as proxies write it: alone, with a port, in brackets or quotation marks, or with a zone. */
export function parseAddress(text: string): string | null {
  const plain = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
  const inBrackets = /^\[([^\]]*)\](:\d+)?$/.exec(plain)?.[1]
  const withPort = /^([^:]+):\d+$/.exec(plain)?.[1]
  const address = (inBrackets ?? withPort ?? plain).replace(/%.*$/, '')
  return isIP(address) === 0 ? null : address
}

/** The hops that the headers name, the nearest one last. */
function readHops(headers: IncomingHttpHeaders): string[] {
  const forwardedFor = headers['x-forwarded-for']
  const listed = Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor
  if (listed !== undefined) return listed.split(',').filter((hop) => hop.trim() !== '')
  return (headers.forwarded ?? '')
    .split(',')
    .map((element) => /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;]*)/i.exec(element)?.[1])
    .filter((hop) => hop !== undefined)
}
