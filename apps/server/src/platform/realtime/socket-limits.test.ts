import { socketLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { readMetric } from '../../testing/clients/attackers.ts'
import { openPortalPeer, portalTicket } from '../../testing/clients/portal-peer.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

const from = (address: string) => ({ 'x-forwarded-for': address })

test('at the limit of the process only the newest socket of the heaviest caller is closed', async () => {
  const sockets = { live: 10, signalling: 4, relay: 10, uploads: 10 }
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' }, undefined, { sockets })
  const open = (address: string) => openPortalPeer(server, undefined, from(address))
  // Networks of one /48 count as one caller here.
  const heavy = [await open('2001:db8:1:1::1'), await open('2001:db8:1:1::2'), await open('2001:db8:1:ff00::1')]
  const light = await open('203.0.113.2')

  const newcomer = await open('203.0.113.3')

  expect(await heavy[2]?.closeCode()).toBe(1006)
  for (const peer of [heavy[0], heavy[1], light, newcomer]) expect(await peer?.drain()).toEqual([])
  await expect(open('2001:db8:1:2::1')).rejects.toThrow('503')
  await expect(open('203.0.113.2')).rejects.toThrow('503')
  expect(await readMetric(server, 'sallyport_sockets{kind="signalling"}')).toBe(4)
  expect(await readMetric(server, 'sallyport_resource_cuts_total{cause="sockets"}')).toBe(3)
  await server.stop()
})

test('T197 an address can have 50 sockets of visitors, not counting those of signed-in accounts', async () => {
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' })
  const members = await Promise.all([1, 2, 3].map(() => server.createMember()))
  for (let count = 0; count <= socketLimits.perAddress; count += 1) {
    const ticket = await portalTicket(server, members[count % 3]?.accessToken)
    await openPortalPeer(server, ticket, from('203.0.113.9'))
  }
  for (let count = 0; count < socketLimits.perAddress; count += 1) {
    await openPortalPeer(server, undefined, from('203.0.113.9'))
  }

  await expect(openPortalPeer(server, undefined, from('203.0.113.9'))).rejects.toThrow('429')
  await openPortalPeer(server, undefined, from('203.0.113.10'))
  await server.stop()
})

test('T197 a local address can have 50 sockets of visitors, like a public one', async () => {
  const server = await startWholeServer()
  for (let count = 0; count < socketLimits.perAddress; count += 1) await openPortalPeer(server)

  await expect(openPortalPeer(server)).rejects.toThrow('429')
  await server.stop()
})
