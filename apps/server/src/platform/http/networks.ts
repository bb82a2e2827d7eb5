import { BlockList, isIPv4, isIPv6 } from 'node:net'

const unmapped = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** The named networks as defined by the library that parses forwarding headers (proxy-addr). */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Creates a function that checks whether an address is in one of these networks. */
export function createNetworkMatcher(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries.flatMap((one) => namedNetworks[one] ?? [one])) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
    if (family === null) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = unmapped(address)
    return isIPv4(plain) ? list.check(plain, 'ipv4') : isIPv6(plain) && list.check(plain, 'ipv6')
  }
}
