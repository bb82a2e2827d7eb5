import { pinLimits } from '@sallyport/contract/server-limits'
import { widerBlocks } from '../http/address.ts'

/** The caller who tries a PIN. */
export interface PinCaller {
  /** The address block of the caller. */
  readonly address: string
  /** Set when the caller is signed in. */
  readonly userId?: string | undefined
}

type SourceLimit = (typeof pinLimits.sources)[keyof typeof pinLimits.sources]

/** A key that failures of a caller are counted under. */
interface PinSource {
  /** In clear; it is stored hashed. */
  readonly key: readonly string[]
  readonly lock: { readonly failures: number; readonly shortestLockMs?: number }
  /** Null where nothing reveals to a stranger whether a PIN is right. */
  readonly answers: SourceLimit | null
}

const { address: addressLimit, network56, network48, account } = pinLimits.sources

/** The address, its wider IPv6 networks, the account, and the address at one known session. */
export function pinSources(caller: PinCaller & { readonly target?: string }): PinSource[] {
  const { address, userId, target } = caller
  const source = (key: readonly string[], limit: SourceLimit): PinSource => ({ key, lock: limit, answers: limit })
  const sources = [source(['address', address], addressLimit)]
  for (const { bits, block } of widerBlocks(address)) {
    sources.push(source(['network', block], bits === 56 ? network56 : network48))
  }
  if (userId !== undefined) sources.push(source(['account', userId], account))
  if (target !== undefined) {
    const lock = { failures: pinLimits.failuresPerSession, shortestLockMs: pinLimits.sessionLockMs }
    sources.push({ key: ['place', address, target], lock, answers: null })
  }
  return sources
}
