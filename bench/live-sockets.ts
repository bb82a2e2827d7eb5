import { setTimeout as pause } from 'node:timers/promises'
import { live, livePath } from '@sallyport/contract/live'
import { WebSocket } from 'ws'
import { createAccount } from '../e2e/support/account.ts'
import { type Finding, judge, keep } from './findings.ts'
import { residentBytes } from './processes.ts'
import { onWorkbench } from './workbench.ts'

/** Just below what one process holds. */
const sockets = 3900
const openedAtOnce = 50
const accounts = 20
/** An address of the loopback range counts as one caller. */
const socketsOfAddress = 200
const roomBytes = 512e6
/** Long enough for each socket to have been pinged. */
const idleMs = 25_000

/** How much memory idle live sockets take, and so how many a server of 512 MB holds. */
export async function countSockets(): Promise<Finding[]> {
  return onWorkbench(async ({ server, account }) => {
    const holders = [account]
    while (holders.length < accounts) holders.push(await createAccount(server.url))
    const before = residentBytes(server.processId)
    const open: WebSocket[] = []
    while (open.length < sockets) {
      const some = Array.from({ length: openedAtOnce }, async (_, place) => {
        const holder = holders[(open.length + place) % accounts] ?? account
        const { ticket } = await holder.call(live.ticket, { body: { purpose: 'live' } })
        const number = Math.floor((open.length + place) / socketsOfAddress)
        return openSocket(server.url, ticket, `127.2.0.${number + 1}`)
      })
      open.push(...(await Promise.all(some)))
    }
    await pause(idleMs)
    const after = residentBytes(server.processId)
    const stillOpen = open.filter(({ readyState }) => readyState === WebSocket.OPEN).length
    for (const socket of open) socket.terminate()
    const each = (after - before) / sockets
    keep('live-sockets', { sockets, stillOpen, before, after })
    if (stillOpen < sockets) throw new Error(`${sockets - stillOpen} of ${sockets} sockets were closed`)
    return [
      judge({
        id: 'P12',
        measure:
          `idle live sockets in 512 MB (${(each / 1e3).toFixed(1)} KB each, ` +
          `${(before / 1e6).toFixed(0)} MB without, ${(after / 1e6).toFixed(0)} MB with ${sockets})`,
        value: (roomBytes - before) / each,
        digits: 0,
        aim: { atLeast: 5000 },
      }),
    ]
  })
}

/** Settles once the server has said that the channel stands. */
function openSocket(url: string, ticket: string, localAddress: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const address = `${url.replace('http', 'ws').replace('localhost', '127.0.0.1')}${livePath}?ticket=${ticket}`
    const socket = new WebSocket(address, { origin: url, localAddress })
    socket.once('message', () => resolve(socket))
    socket.once('error', reject)
  })
}
