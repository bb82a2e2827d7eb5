import { area } from '../area.ts'

export const adminSecurityStrings = area('adminSecurity', {
  signs: 'Signs of attack',
  failed: 'Failed to load the security figures',
  charts: {
    failed_sign_ins: 'Failed sign-ins',
    refused_sign_ins: 'Refused sign-ins',
    wrong_codes: 'Wrong codes',
    wrong_pins: 'Wrong PINs',
    bans: 'Bans',
    admin_actions: 'Admin actions',
  },
  chartsHint:
    'A sign-in fails with a wrong password. After too many, further ones are refused unchecked. Wrong codes are those of two-factor authentication; wrong PINs are those of sessions, and codes of portals. If the server crashes, the attempts of its last second may be missing.',

  networks: 'Networks',
  networksHint:
    'Where failed attempts came from, by blocks of neighboring addresses (IPv4 /24, IPv6 /48). The addresses themselves aren’t stored: each network has a pseudonym. With LOG_ADDRESSES=on, the server writes addresses to its log, together with these pseudonyms.',
  networksFailed: 'Failed to load the networks',
  noNetworks: 'No failed attempts in these days',
  columns: { network: 'Network', last_day: 'Last day' },
  local: 'This machine or its local network',
  localHint: 'Behind a proxy, this can mean that TRUSTED_PROXIES isn’t set.',
  other: 'Others',
  network: (name: string) => `Network ${name}`,
})
