import type { FastifyRequest } from 'fastify'
import { isLocalBlock, widerBlocks } from './address.ts'

/** An IPv4 address itself; an IPv6 /64 with its /56 and /48, narrowest first. */
export const enclosingBlocks = (block: string): string[] => [block, ...widerBlocks(block).map((wider) => wider.block)]

const widestBlock = (block: string): string => `address:${enclosingBlocks(block).at(-1)}`

/**
 * The key of a caller in queues and limits that do not see the request: the widest block of its address, so that many
 * addresses of one network are one caller. Callers on a local network may share an address, so that signed-in users are
 * distinguished by account.
 */
export function callerKey(block: string, userId: string | undefined): string {
  if (isLocalBlock(block)) return userId === undefined ? `local:${block}` : `account:${userId}`
  return widestBlock(block)
}

/**
 * The key of a request for process-wide limits: the widest block of its address. Only requests from the address of a
 * trusted proxy itself are distinguished by account.
 */
export function callerOf({ clientBlock, isFromTrustedProxy }: FastifyRequest, userId: string | undefined): string {
  return isFromTrustedProxy && userId !== undefined ? `account:${userId}` : widestBlock(clientBlock)
}
