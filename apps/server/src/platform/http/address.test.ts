import { expect, test } from 'vitest'
import { addressBlock, isLocalBlock } from './address.ts'

test.each([
  '127.0.0.1',
  '::1',
  '10.1.2.3',
  '172.31.255.1',
  '192.168.0.9',
  '169.254.1.1',
  'fd12:3456::1',
  'fe80::1',
  '::ffff:10.0.0.1',
])('isLocalBlock: %s is local', (address) => {
  expect(isLocalBlock(addressBlock(address))).toBe(true)
})

test.each(['8.8.8.8', '172.32.0.1', '11.0.0.1', '2001:db8::1', '::ffff:8.8.8.8', 'unknown', ''])(
  'isLocalBlock: %j is not local',
  (address) => {
    expect(isLocalBlock(addressBlock(address))).toBe(false)
  },
)
