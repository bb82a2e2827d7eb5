import { tokenLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { useBothBuses } from '../testing/buses.ts'
import type { LiveHolder } from './tickets.ts'

const { server, onBothBuses, onRedis } = useBothBuses()
const holder: LiveHolder = { purpose: 'live', userId: 'ann', signInId: 'here' }

onBothBuses('T191 a ticket made at one node is good once, at whichever node it is shown first', async ({ aNode }) => {
  const nodes = [await aNode(), await aNode()].map(({ openTickets }) => openTickets('live'))
  const ticket = (await nodes[0]?.issue(holder)) ?? ''

  const shown = await Promise.all([...nodes, ...nodes].map((tickets) => tickets.redeem(ticket, 'live')))

  expect(shown.filter((found) => found !== null)).toEqual([holder])
})

onBothBuses('T192 a ticket is good for thirty seconds and for its purpose only', async ({ aNode, advance }) => {
  const tickets = (await aNode()).openTickets('live')
  const [late, inTime, other] = [await tickets.issue(holder), await tickets.issue(holder), await tickets.issue(holder)]

  const forOther = await tickets.redeem(other, 'upload')
  advance(tokenLimits.ticketMs - 1)
  const last = await tickets.redeem(inTime, 'live')
  advance(1)
  const tooLate = await tickets.redeem(late, 'live')

  expect([forOther, last, tooLate]).toEqual([null, holder, null])
})

onBothBuses('a ticket of one kind is none of another, and stays good', async ({ aNode }) => {
  const { openTickets } = await aNode()
  const ticket = await openTickets('live').issue(holder)

  const elsewhere = await openTickets('session').redeem(ticket, 'live')

  expect(elsewhere).toBeNull()
  expect(await openTickets('live').redeem(ticket, 'live')).toEqual(holder)
})

onRedis('T162 Redis holds no ticket, only who it is for, and forgets that by itself', async ({ aNode }) => {
  const ticket = await (await aNode()).openTickets('live').issue(holder)

  const [key = ''] = await server.ask((commands) => commands.keys('*'))
  const held = (await server.ask((commands) => commands.get(key))) ?? ''
  const lasting = await server.ask((commands) => commands.pttl(key))

  expect(JSON.parse(held)).toMatchObject({ holder })
  expect(key + held).not.toContain(ticket)
  expect(lasting).toBeGreaterThan(0)
  expect(lasting).toBeLessThanOrEqual(tokenLimits.ticketMs)
})

onRedis('F16 without Redis no ticket is made and none is good', async ({ aNode }) => {
  const tickets = (await aNode()).openTickets('live')
  const ticket = await tickets.issue(holder)

  await server.kill()

  await expect(tickets.issue(holder)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(tickets.redeem(ticket, 'live')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
