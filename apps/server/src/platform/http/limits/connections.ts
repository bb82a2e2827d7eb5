import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createFairSlots } from '../../rate-limit/fair-slots.ts'
import { addressBlock } from '../address.ts'
import { enclosingBlocks } from '../address-blocks.ts'
import { createNetworkMatcher } from '../networks.ts'

interface ConnectionLimits {
  /** Open connections of the process and of one address; a /56 may have twice as many and a /48 four times. */
  readonly connections: number
  readonly connectionsPerAddress: number
}

interface ConnectionsOptions {
  readonly limits: ConnectionLimits
  /** Addresses and networks of proxies, whose connections are shared by many users. */
  readonly trustedProxies: readonly string[]
  readonly onRejected: () => void
}

/**
 * Limits open connections before anything is read from them. Connections of trusted proxies are shared by many users,
 * so they have no limit per address and are never evicted for another caller.
 */
export function createConnections({ limits, trustedProxies, onRejected }: ConnectionsOptions) {
  const isProxy = createNetworkMatcher(trustedProxies)
  const counts = new Map<string, number>()
  const slots = createFairSlots(limits.connections)
  const callers = new WeakMap<Socket, string>()
  let proxyConnections = 0

  function isWithinBounds(blocks: readonly string[]): boolean {
    return blocks.every((block, index) => (counts.get(block) ?? 0) < limits.connectionsPerAddress * 2 ** index)
  }

  function add(blocks: readonly string[], change: 1 | -1): void {
    for (const block of blocks) {
      const count = (counts.get(block) ?? 0) + change
      if (count > 0) counts.set(block, count)
      else counts.delete(block)
    }
  }

  function callerFor(address: string, blocks: readonly string[]): string {
    if (!isProxy(address)) return blocks.at(-1) ?? ''
    proxyConnections += 1
    return `shared:${proxyConnections}`
  }

  function accept(socket: Socket): void {
    const address = socket.remoteAddress
    if (address === undefined) return void socket.destroy()
    const blocks = enclosingBlocks(addressBlock(address))
    const caller = callerFor(address, blocks)
    const limitedBlocks = caller.startsWith('shared:') ? [] : blocks
    const release = isWithinBounds(limitedBlocks) ? slots.acquire(caller, () => void socket.destroy()) : null
    if (!release) {
      onRejected()
      return void socket.destroy()
    }
    callers.set(socket, caller)
    add(limitedBlocks, 1)
    socket.once('close', () => {
      release()
      add(limitedBlocks, -1)
    })
  }

  return {
    /** Applies the limits to a server. */
    guard: (server: Server): void => void server.on('connection', accept),
    /** The key of the caller that a connection belongs to; each connection of a proxy is a caller of its own. */
    callerOf: (socket: Socket): string => callers.get(socket) ?? '',
    open: slots.inUse,
  }
}
