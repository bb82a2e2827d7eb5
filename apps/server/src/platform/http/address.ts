import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * The address block that counts as one visitor: an IPv4 address, or the /64 of an IPv6 address. IPv4-mapped IPv6
 * addresses are treated as IPv4.
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

/** True for a loopback address. */
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
// The /64 of ::1.
localNetworks.addAddress('::', 'ipv6')
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  localNetworks.addSubnet(network, bits, 'ipv6')
}

/** True for a block of loopback, link-local or private addresses. */
export function isLocalBlock(block: string): boolean {
  const address = block.replace('/64', '')
  if (isIPv4(address)) return localNetworks.check(address, 'ipv4')
  return isIPv6(address) && localNetworks.check(address, 'ipv6')
}

/** The /56 and /48 networks of an IPv6 /64; empty for IPv4. */
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
