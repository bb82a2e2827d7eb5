import { tokenLimits } from '@sallyport/contract/server-limits'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { deriveLicence, readLicence, type SourcedLicence, standingOf } from './licence.rules.ts'
import type { LicencesStore } from './licences.store.ts'

interface Parts {
  readonly store: Pick<LicencesStore, 'list'>
  readonly bus: Bus
  readonly now: () => number
}

interface Remembered {
  readonly licences: readonly SourcedLicence[]
  readonly until: number
}

/** Carries the ids of accounts whose licences have changed. */
export const licenceTopic = 'licence.changed'

/**
 * Knows what licence an account holds. What it remembers is at most five seconds old, and goes at once when a change is
 * told over the bus.
 */
export function createLicences({ store, bus, now }: Parts) {
  const remembered = new Map<string, Remembered>()
  let changes = 0

  bus.subscribe<string>(licenceTopic, (userId) => {
    changes += 1
    remembered.delete(userId)
  })

  function forgetOld(): void {
    for (const [userId, { until }] of remembered) {
      if (until > now()) return
      remembered.delete(userId)
    }
  }

  async function read(userId: string): Promise<SourcedLicence[]> {
    const rows = await store.list(userId).catch((cause: unknown) => {
      throw refuse('LICENSE_CHECK_FAILED', { cause })
    })
    return rows.map((row) => readLicence(row) ?? unreadable(userId))
  }

  async function remember(userId: string): Promise<readonly SourcedLicence[]> {
    const known = remembered.get(userId)
    if (known && known.until > now()) return known.licences
    forgetOld()
    const seen = changes
    const licences = await read(userId)
    remembered.delete(userId)
    // A change that was told while the rows were read may be newer than they are.
    if (seen === changes) remembered.set(userId, { licences, until: now() + tokenLimits.signInCacheMs })
    return licences
  }

  const pick = (userId: string, licences: readonly SourcedLicence[]): SourcedLicence =>
    deriveLicence(licences, now()) ?? unreadable(userId)

  return {
    /** What the account holds at this moment; refused with `LICENSE_PARSE_FAILED` when that cannot be read. */
    licenceOf: async (userId: string): Promise<SourcedLicence> => pick(userId, await read(userId)),
    /** Refuses with `UPGRADE_REQUIRED` an account whose licence has ended. Asked on every call, it may remember. */
    async demand(userId: string): Promise<void> {
      const licence = pick(userId, await remember(userId))
      if (standingOf(licence, now()) !== 'in-force') throw refuse('UPGRADE_REQUIRED')
    },
  }
}

export type Licences = ReturnType<typeof createLicences>

function unreadable(userId: string): never {
  throw refuse('LICENSE_PARSE_FAILED', { cause: new Error(`The licence of ${userId} cannot be read`) })
}
