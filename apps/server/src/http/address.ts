import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * The block of addresses one visitor is taken to hold: a whole IPv4 address, or the first 64 bits of an IPv6 one.
 * IPv4 addresses written as IPv6 fall together with themselves.
 */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (isIPv4(address) || !isIPv6(address)) return address
  return `${expandIpv6(address).slice(0, 4).join(':')}::/64`
}

function expandIpv6(address: string): string[] {
  const plain = address.split('%')[0] ?? address
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const filler =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return [...front, ...filler, ...back].map((group) => Number.parseInt(group, 16).toString(16))
}

/** True for the machine itself. */
export const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)

const localNetworks = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  localNetworks.addSubnet(network, bits, 'ipv4')
}
// What is left of ::1 in its block.
localNetworks.addAddress('::', 'ipv6')
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  localNetworks.addSubnet(network, bits, 'ipv6')
}

/** True for a block of addresses of the machine itself or of a network that is not the internet. */
export function isLocalBlock(block: string): boolean {
  const address = block.replace('/64', '')
  if (isIPv4(address)) return localNetworks.check(address, 'ipv4')
  return isIPv6(address) && localNetworks.check(address, 'ipv6')
}

/** The wider IPv6 networks that a /64 block belongs to: its /56 and its /48. Empty for IPv4. */
export function widerBlocks(block: string): { readonly bits: 56 | 48; readonly block: string }[] {
  if (!block.endsWith('::/64')) return []
  const groups = block.slice(0, -'::/64'.length).split(':')
  const last = (Number.parseInt(groups[3] ?? '0', 16) & 0xff00).toString(16)
  const head = groups.slice(0, 3).join(':')
  return [
    { bits: 56, block: `${head}:${last}::/56` },
    { bits: 48, block: `${head}::/48` },
  ]
}
