import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressBlock } from '../http/address.ts'
import { networksOf } from '../http/networks.ts'
import { enclosingBlocks } from './address-blocks.ts'
import { createFairSlots } from './fair-slots.ts'

interface ConnectionLimits {
  /** Open connections of the process, and of one address; a /56 holds twice as many and a /48 four times. */
  readonly connections: number
  readonly connectionsPerAddress: number
}

interface Wishes {
  readonly limits: ConnectionLimits
  /** Addresses and networks of proxies: their connections stand for many people. */
  readonly trustedProxies: readonly string[]
  readonly onRefused: () => void
}

/**
 * Bounds open connections, before anything is read from them. Trusted proxies stand for many people, so they have no
 * bound of their own, and none of their connections is cut for another caller.
 */
export function createConnections({ limits, trustedProxies, onRefused }: Wishes) {
  const isProxy = networksOf(trustedProxies)
  const counts = new Map<string, number>()
  const slots = createFairSlots(limits.connections)
  let shared = 0

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
    shared += 1
    return `shared:${shared}`
  }

  function enter(socket: Socket): void {
    const address = socket.remoteAddress
    if (address === undefined) return void socket.destroy()
    const blocks = enclosingBlocks(addressBlock(address))
    const caller = callerFor(address, blocks)
    const counted = caller.startsWith('shared:') ? [] : blocks
    const release = isWithinBounds(counted) ? slots.acquire(caller, () => void socket.destroy()) : null
    if (!release) {
      onRefused()
      return void socket.destroy()
    }
    add(counted, 1)
    socket.once('close', () => {
      release()
      add(counted, -1)
    })
  }

  return {
    /** Holds the connections of a server to these bounds. */
    guard: (server: Server): void => void server.on('connection', enter),
    open: slots.taken,
  }
}
