import type { FastifyRequest } from 'fastify'
import { isLocalBlock, widerBlocks } from '../http/address.ts'

/** An IPv4 address alone; an IPv6 /64 with the /56 and the /48 it lies in, the narrowest first. */
export const enclosingBlocks = (block: string): string[] => [block, ...widerBlocks(block).map((wider) => wider.block)]

const widestBlock = (block: string): string => `address:${enclosingBlocks(block).at(-1)}`

/**
 * Who an address stands for in queues and limits that do not see the request: its widest block, so that many addresses of
 * one network are one caller. Addresses of a local network may stand for many people, told apart by their accounts.
 */
export function callerKey(block: string, userId: string | undefined): string {
  if (isLocalBlock(block)) return userId === undefined ? `local:${block}` : `account:${userId}`
  return widestBlock(block)
}

/**
 * Who a request counts for where a ceiling of the whole process is reached: the widest block of its address. Only the
 * address of a trusted proxy itself stands for many people, whom their accounts distinguish.
 */
export function callerOf({ clientBlock, isFromTrustedProxy }: FastifyRequest, userId: string | undefined): string {
  return isFromTrustedProxy && userId !== undefined ? `account:${userId}` : widestBlock(clientBlock)
}
