import { createHmac } from 'node:crypto'
import { type FailedAttemptKind, failedAttemptKinds } from '@sallyport/contract/admin-security'
import { dayOf } from '@sallyport/contract/days'
import { failedAttemptLimits } from '@sallyport/contract/server-limits'
import type { Job } from '../../jobs.ts'
import { isLocalBlock, widerBlocks } from '../http/address.ts'
import type { FailedAttemptsOfDay, FailedAttemptsStore } from './failed-attempts.store.ts'

export interface FailedAttempts {
  /** Counts an attempt from this address block, if that is known, soon and without waiting. */
  count(kind: FailedAttemptKind, address: string | undefined): void
  /** The pseudonym under which the network of an address block is counted. */
  networkOf(address: string): string
  /** Stores what was counted at this node before the call; never rejects. */
  flush(): Promise<void>
  /** Deletes what is too old. */
  readonly cleanupJob: Job
  /** Stores what is pending. */
  close(): Promise<void>
}

interface FailedAttemptsDeps {
  readonly store: FailedAttemptsStore
  /** Keys the pseudonyms of networks. */
  readonly secret: Buffer
  readonly now: () => number
  readonly onError: (error: Error) => void
}

type Counts = Record<FailedAttemptKind, number>

const dayMs = 24 * 3_600_000
const pseudonymCharacters = 6

/**
 * Counts failed attempts by day and network. They are buffered for a second, because strangers decide how many there
 * are; each day a node counts a limited number of networks separately, and all others together.
 */
export function createFailedAttempts({ store, secret, now, onError }: FailedAttemptsDeps): FailedAttempts {
  let day = ''
  let known = new Set<string>()
  /** By day and network. */
  let pending = new Map<string, Counts>()
  let timer: NodeJS.Timeout | undefined
  let lastFlush = Promise.resolve()

  function networkOf(address: string): string {
    if (isLocalBlock(address)) return 'local'
    const network = networkBlock(address)
    return createHmac('sha256', secret).update(`network\0${network}`).digest('hex').slice(0, pseudonymCharacters)
  }

  /** The network itself, or `other` once too many are counted on this day. */
  function countedNetwork(today: string, address: string | undefined): string {
    if (address === undefined) return 'other'
    if (today !== day) {
      day = today
      known = new Set()
    }
    const network = networkOf(address)
    if (known.has(network)) return network
    if (known.size >= failedAttemptLimits.networksPerDay) return 'other'
    known.add(network)
    return network
  }

  function addPending(key: string, counts: Partial<Counts>): void {
    const sum = pending.get(key) ?? none()
    for (const kind of failedAttemptKinds) sum[kind] += counts[kind] ?? 0
    pending.set(key, sum)
    timer ??= setTimeout(() => void flush(), failedAttemptLimits.flushMs).unref()
  }

  async function storePending(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const stored = pending
    pending = new Map()
    await store.add(toRows(stored)).catch((error: Error) => {
      onError(error)
      for (const [key, counts] of stored) addPending(key, counts)
    })
  }

  function flush(): Promise<void> {
    lastFlush = lastFlush.then(storePending)
    return lastFlush
  }

  return {
    networkOf,
    flush,
    count(kind, address) {
      const today = dayOf(now())
      addPending(`${today} ${countedNetwork(today, address)}`, { [kind]: 1 })
    },
    cleanupJob: {
      name: 'old failed attempts',
      needsRightTime: true,
      everyMs: 3_600_000,
      run: () => store.removeBefore(dayOf(now() - failedAttemptLimits.retentionDays * dayMs)),
    },
    async close() {
      await flush()
      clearTimeout(timer)
    },
  }
}

const none = (): Counts => ({ failed_sign_ins: 0, refused_sign_ins: 0, wrong_codes: 0, wrong_pins: 0 })

/** The IPv4 /24 or the IPv6 /48 of an address block. */
function networkBlock(address: string): string {
  const [network48] = widerBlocks(address).slice(-1)
  return network48?.block ?? address.replace(/\.\d+$/, '.0/24')
}

/** Always in the same order, because nodes that update the same rows in opposite orders would deadlock. */
function toRows(pending: ReadonlyMap<string, Counts>): FailedAttemptsOfDay[] {
  return [...pending]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, counts]) => {
      const [day = '', network = ''] = key.split(' ')
      return { day, network, ...counts }
    })
}
