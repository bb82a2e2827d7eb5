import { expect, test } from 'vitest'
import { metricOf } from '../testing/attackers.ts'
import { openPortalPeer } from '../testing/portal-peer.ts'
import { startWholeServer } from '../testing/whole-server.ts'

const from = (address: string) => ({ 'x-forwarded-for': address })

test('at the bound of the process the newest socket of the heaviest caller goes, and others notice nothing', async () => {
  const sockets = { live: 10, signalling: 4, relay: 10, uploads: 10 }
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' }, undefined, { sockets })
  const open = (address: string) => openPortalPeer(server, undefined, from(address))
  // Two networks of one /48 are one caller here.
  const heavy = [await open('2001:db8:1:1::1'), await open('2001:db8:1:1::2'), await open('2001:db8:1:ff00::1')]
  const light = await open('203.0.113.2')

  const newcomer = await open('203.0.113.3')

  expect(await heavy[2]?.closeCode()).toBe(1006)
  for (const peer of [heavy[0], heavy[1], light, newcomer]) expect(await peer?.settled()).toEqual([])
  await expect(open('2001:db8:1:2::1')).rejects.toThrow('503')
  await expect(open('203.0.113.2')).rejects.toThrow('503')
  expect(await metricOf(server, 'sallyport_sockets{kind="signalling"}')).toBe(4)
  expect(await metricOf(server, 'sallyport_resource_cuts_total{cause="sockets"}')).toBe(3)
  await server.stop()
})
