import { setTimeout as pause } from 'node:timers/promises'
import { live, livePath } from '@sallyport/contract/live'
import { WebSocket } from 'ws'
import { createAccount } from '../../e2e/support/account/account.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { residentBytes } from '../lib/processes.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'

/** Slightly below the limit of one process. */
const socketCount = 3900
const batchSize = 50
const accountCount = 20
/** The server counts each loopback address as one caller. */
const socketsPerAddress = 200
const memoryBytes = 512e6
/** Long enough for the server to ping each socket. */
const idleMs = 25_000

/** Measures the memory of idle live sockets, and computes how many fit into 512 MB. */
export async function measureIdleSockets(): Promise<Finding[]> {
  return withBenchEnvironment(async ({ server, account }) => {
    const holders = [account]
    while (holders.length < accountCount) holders.push(await createAccount(server.url))
    const before = residentBytes(server.processId)
    const open: WebSocket[] = []
    while (open.length < socketCount) {
      const batch = Array.from({ length: batchSize }, async (_, index) => {
        const holder = holders[(open.length + index) % accountCount] ?? account
        const { ticket } = await holder.call(live.ticket, { body: { purpose: 'live' } })
        const number = Math.floor((open.length + index) / socketsPerAddress)
        return openSocket(server.url, ticket, `127.2.0.${number + 1}`)
      })
      open.push(...(await Promise.all(batch)))
    }
    await pause(idleMs)
    const after = residentBytes(server.processId)
    const stillOpen = open.filter(({ readyState }) => readyState === WebSocket.OPEN).length
    for (const socket of open) socket.terminate()
    const bytesPerSocket = (after - before) / socketCount
    saveResults('live-sockets', { socketCount, stillOpen, before, after })
    if (stillOpen < socketCount) throw new Error(`${socketCount - stillOpen} of ${socketCount} sockets were closed`)
    return [
      judge({
        id: 'P12',
        measure:
          `idle live sockets in 512 MB (${(bytesPerSocket / 1e3).toFixed(1)} KB each, ` +
          `${(before / 1e6).toFixed(0)} MB without, ${(after / 1e6).toFixed(0)} MB with ${socketCount})`,
        value: (memoryBytes - before) / bytesPerSocket,
        decimals: 0,
        target: { atLeast: 5000 },
      }),
    ]
  })
}

/** Resolves when the server has sent the first message. */
function openSocket(url: string, ticket: string, localAddress: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socketUrl = `${url.replace('http', 'ws').replace('localhost', '127.0.0.1')}${livePath}?ticket=${ticket}`
    const socket = new WebSocket(socketUrl, { origin: url, localAddress })
    socket.once('message', () => resolve(socket))
    socket.once('error', reject)
  })
}
