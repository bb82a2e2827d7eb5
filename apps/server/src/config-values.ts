import { isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'

/** Text with at least one visible character. */
export const text = () => z.string().regex(/\S/, 'must not be blank')

/** A whole number in decimal digits only: other notations are mistakes. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))

/** A number that is not negative, with or without decimal places. */
export const amount = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number such as 50 or 0.5')
    .transform(Number)
    .pipe(z.number().min(min).max(max))

/** Entries separated by commas; none by default. */
export const list = z
  .string()
  .default('')
  .transform((entries) =>
    entries
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )

export const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })

/** Whether nothing follows the host and the port of a URL, and no user precedes them. */
export function isOrigin(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.href === `${url.origin}/` && !/[?#]/.test(address)
}

export const isEmailAddress = (address: string): boolean => /^[^\s<>@,]+@[^\s<>@,]+$/.test(address)

export const isDomain = (entry: string): boolean => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(entry)

/** Whether the text is an address, or a name and an address in angle brackets. */
export function isSender(sender: string): boolean {
  const [, bracketed] = /^[^<>]*<([^<>]*)>$/.exec(sender.trim()) ?? []
  return isEmailAddress(bracketed ?? sender.trim())
}

export const isIceUrl = (entry: string): boolean => /^(stuns?|turns?):[^\s/]/.test(entry)

export const areDistinctFolders = (folders: readonly string[]): boolean =>
  new Set(folders.map((folder) => resolve(folder))).size === folders.length

/** Whether the entry has the form of a public key of age. Its checksum is verified when the server starts. */
export const isAgeRecipient = (entry: string): boolean => /^age1[a-z0-9]{50,}$/.test(entry)

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Whether the entry is an address or a network. A network of all addresses is rejected: every visitor could forge headers. */
export function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  if (namedNetworks.has(entry)) return true
  if (isIP(address) === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= maxBits(address))
}

const maxBits = (address: string): number => (isIPv4(address) ? 32 : 128)
