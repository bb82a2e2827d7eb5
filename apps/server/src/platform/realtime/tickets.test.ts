import { tokenLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { useBothBuses } from '../../testing/engines/buses.ts'
import type { LiveHolder } from './tickets.ts'

const { server, onBothBuses, onRedis } = useBothBuses()
const holder: LiveHolder = { purpose: 'live', userId: 'ann', authSessionId: 'here' }

onBothBuses('T191 a ticket issued at one node is valid once, at any node', async ({ openNode }) => {
  const nodes = [await openNode(), await openNode()].map(({ createTickets }) => createTickets('live'))
  const ticket = (await nodes[0]?.issue(holder)) ?? ''

  const redeemed = await Promise.all([...nodes, ...nodes].map((tickets) => tickets.redeem(ticket, 'live')))

  expect(redeemed.filter((found) => found !== null)).toEqual([holder])
})

onBothBuses('T192 a ticket is valid for 30 seconds and only for its purpose', async ({ openNode, advance }) => {
  const tickets = (await openNode()).createTickets('live')
  const [late, inTime, other] = [await tickets.issue(holder), await tickets.issue(holder), await tickets.issue(holder)]

  const forOther = await tickets.redeem(other, 'upload')
  advance(tokenLimits.ticketMs - 1)
  const last = await tickets.redeem(inTime, 'live')
  advance(1)
  const tooLate = await tickets.redeem(late, 'live')

  expect([forOther, last, tooLate]).toEqual([null, holder, null])
})

onBothBuses('a ticket of one kind is not valid as another, and stays valid', async ({ openNode }) => {
  const { createTickets } = await openNode()
  const ticket = await createTickets('live').issue(holder)

  const elsewhere = await createTickets('session').redeem(ticket, 'live')

  expect(elsewhere).toBeNull()
  expect(await createTickets('live').redeem(ticket, 'live')).toEqual(holder)
})

onRedis('T162 Redis holds no ticket, only its holder, and the key expires', async ({ openNode }) => {
  const ticket = await (await openNode()).createTickets('live').issue(holder)

  const [key = ''] = await server.query((commands) => commands.keys('*'))
  const held = (await server.query((commands) => commands.get(key))) ?? ''
  const lasting = await server.query((commands) => commands.pttl(key))

  expect(JSON.parse(held)).toMatchObject({ holder })
  expect(key + held).not.toContain(ticket)
  expect(lasting).toBeGreaterThan(0)
  expect(lasting).toBeLessThanOrEqual(tokenLimits.ticketMs)
})

onRedis('F16 without Redis no ticket is issued and none is valid', async ({ openNode }) => {
  const tickets = (await openNode()).createTickets('live')
  const ticket = await tickets.issue(holder)

  await server.kill()

  await expect(tickets.issue(holder)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(tickets.redeem(ticket, 'live')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
