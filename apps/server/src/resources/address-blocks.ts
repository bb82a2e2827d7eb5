import type { FastifyRequest } from 'fastify'
import { isLocalBlock } from '../http/address.ts'

/** An IPv4 address alone; an IPv6 /64 with the /56 and the /48 it lies in, the narrowest first. */
export function enclosingBlocks(block: string): string[] {
  const groups = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)::\/64$/.exec(block)?.slice(1)
  if (!groups) return [block]
  const [first, second, third, fourth = '0'] = groups
  const upper = (Number.parseInt(fourth, 16) & 0xff00).toString(16)
  return [block, `${first}:${second}:${third}:${upper}::/56`, `${first}:${second}:${third}::/48`]
}

/**
 * Who a request counts for where a ceiling of the whole process is reached: the widest block of its address, so that
 * many addresses of one network are one caller. Addresses of a local network may stand for many people, who are told
 * apart by their accounts.
 */
export function callerOf({ clientBlock: block }: FastifyRequest, userId: string | undefined): string {
  if (isLocalBlock(block)) return userId === undefined ? `local:${block}` : `account:${userId}`
  return `address:${enclosingBlocks(block).at(-1)}`
}
