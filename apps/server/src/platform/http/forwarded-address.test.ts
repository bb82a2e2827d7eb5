import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { addressBlock } from './address.ts'
import { findClientAddress, parseAddress } from './forwarded-address.ts'
import { createNetworkMatcher } from './networks.ts'

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['203.0.113.5:50000', '203.0.113.5'],
  [' "203.0.113.5:50000" ', '203.0.113.5'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['"[2001:db8::7]:443"', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:203.0.113.5', '::ffff:203.0.113.5'],
])('parseAddress: %s is %s', (text, address) => {
  expect(parseAddress(text)).toBe(address)
})

test.each([
  'unknown',
  '_hidden',
  '',
  '203.0.113',
  '203.0.113.5:port',
  '[2001:db8::7',
  'example.org',
  '1.2.3.4, 5.6.7.8',
])('parseAddress: %j is no address', (text) => {
  expect(parseAddress(text)).toBeNull()
})

const isProxy = createNetworkMatcher(['10.0.0.0/8'])
const find = (headers: Record<string, string>, remoteAddress = '10.0.0.1') =>
  findClientAddress({ remoteAddress, headers }, isProxy)

test('findClientAddress: the last address that is not a proxy is the client', () => {
  expect(find({ 'x-forwarded-for': '198.51.100.1, 203.0.113.5:4711, 10.1.2.3:80' }).address).toBe('203.0.113.5')
  expect(find({ forwarded: 'for=198.51.100.1, by=10.0.0.2;FOR="[2001:db8::7]:80";proto=https' }).address).toBe(
    '2001:db8::7',
  )
  expect(find({ 'x-forwarded-for': '203.0.113.5', forwarded: 'for=198.51.100.1' }).address).toBe('203.0.113.5')
  expect(find({}).address).toBe('10.0.0.1')
})

test('findClientAddress: nothing is believed of a caller that is not a proxy', () => {
  const headers = { 'x-forwarded-for': '203.0.113.5', forwarded: 'for=203.0.113.5' }

  expect(find(headers, '198.51.100.1')).toEqual({ address: '198.51.100.1', unreadable: null })
})

test('findClientAddress: what is no address counts as the proxy that has named it', () => {
  expect(find({ 'x-forwarded-for': '203.0.113.5, unknown' })).toEqual({ address: '10.0.0.1', unreadable: ' unknown' })
  expect(find({ 'x-forwarded-for': '_gate, 10.3.3.3' })).toEqual({ address: '10.3.3.3', unreadable: '_gate' })
})

test('findClientAddress: whatever the headers contain, the result is an address', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (list, forwarded) => {
      const { address } = find({ 'x-forwarded-for': list, forwarded })
      expect(parseAddress(address)).toBe(address)
      expect(addressBlock(address)).not.toContain('NaN')
    }),
    { seed: 20_261_127, numRuns: 500 },
  )
})

test('one client behind a proxy that adds ports is limited as one, in either header', async () => {
  const lines: string[] = []
  const environment = { TRUSTED_PROXIES: '127.0.0.1', REGISTRATIONS_PER_HOUR: '3' }
  const server = await startWholeServer(environment, { write: (line) => void lines.push(line) })
  const register = async (port: number, headers: Record<string, string>) => {
    const response = await fetch(`${server.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: `a${port}${Math.random()}@example.org`, password: `Zk2.${'x'.repeat(43)}` }),
    })
    return response.status
  }
  const statusesOf = async (headersOf: (port: number) => Record<string, string>) => {
    const statuses: number[] = []
    for (let port = 50_000; port < 50_005; port += 1) statuses.push(await register(port, headersOf(port)))
    return statuses
  }
  const limited = [200, 200, 200, 429, 429]

  expect(await statusesOf((port) => ({ 'x-forwarded-for': `198.51.100.7:${port}` }))).toEqual(limited)
  expect(await statusesOf((port) => ({ 'x-forwarded-for': `[2001:db8::${port % 100}]:${port}` }))).toEqual(limited)
  expect(await statusesOf((port) => ({ forwarded: `for="203.0.113.9:${port}"` }))).toEqual(limited)
  expect(lines.filter((line) => line.includes('not an address'))).toEqual([])

  await register(1, { 'x-forwarded-for': 'unknown' })
  await register(2, { 'x-forwarded-for': 'unknown' })
  expect(lines.filter((line) => line.includes('not an address'))).toHaveLength(1)
  await server.stop()
})
