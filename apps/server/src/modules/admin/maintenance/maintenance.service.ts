import type { CleanupType } from '@sallyport/contract/admin-maintenance'
import { formatBytes } from '@sallyport/contract/formats'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { type Erased, nothing, type Scheduler, sumOf } from '../../../jobs.ts'
import type { AdminsStore } from '../admins.store.ts'
import type { Audit, AuditEntry } from '../audit/audit.ts'

interface MaintenanceDeps extends Pick<ServerContext, 'clock'> {
  readonly erase: Scheduler['erase']
  readonly admins: Pick<AdminsStore, 'isAdmin'>
  readonly audit: Audit
}

interface CleanupInput {
  readonly actorId: string
  readonly type: CleanupType
  /** Aborted when the admin has cancelled. */
  readonly signal: AbortSignal
}

/** After this time a call stops removing what has expired, so that no proxy ends it. The page calls again. */
const longestMs = 10_000

/** How admins look after the stored data. Each call is recorded in the audit log, also when it is refused. */
export function createMaintenance({ erase, admins, audit, clock }: MaintenanceDeps) {
  const run = <Result>(entry: AuditEntry, step: () => Promise<Result>): Promise<Result> =>
    audit.runOutside(entry, async () => {
      // The call may have waited.
      if (entry.actorId === null || !(await admins.isAdmin(entry.actorId))) throw apiError('FORBIDDEN')
      return step()
    })

  async function eraseAll(type: CleanupType, signal: AbortSignal): Promise<Erased & { readonly complete: boolean }> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    const expired = type === 'orphaned' ? nothing : await erase('expired', limit)
    const isAborted = type === 'orphaned' ? signal.aborted : limit.aborted
    if (type === 'expired' || isAborted) return { ...expired, complete: !isAborted }
    // All bytes are listed, and have to be found twice: an interrupted pass would begin again and never end.
    const orphans = [await erase('orphaned', signal), await erase('orphaned', signal)]
    return { ...sumOf([expired, ...orphans]), complete: !signal.aborted }
  }

  return {
    async cleanUp({ actorId, type, signal }: CleanupInput) {
      return run(entryOf('maintenance.clean-up', actorId, { type }), async () => {
        if (clock.jump()) throw apiError('CLOCK_NOT_CONFIRMED')
        const { files, bytes, entries, tooMany, complete } = await eraseAll(type, signal)
        return {
          message: tooMany ? tooManyOrphans(tooMany) : describe({ files, bytes, entries }),
          removed: { files, bytes, entries },
          complete,
        }
      })
    },

    confirmClock: (actorId: string): Promise<void> => run(entryOf('clock.confirm', actorId), () => clock.confirm()),
  }
}

export type Maintenance = ReturnType<typeof createMaintenance>

const entryOf = (action: string, actorId: string, details: AuditEntry['details'] = {}): AuditEntry => ({
  actorId,
  actorKind: 'admin',
  action,
  subjectId: null,
  details,
})

const describe = ({ files, bytes, entries }: Erased): string =>
  `Removed: ${counted(files, 'file')} (${formatBytes(bytes)}) and ${counted(entries, 'other entry', 'other entries')}.`

const counted = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

const tooManyOrphans = ({ orphans, files }: NonNullable<Erased['tooMany']>): string =>
  `${orphans} of ${files} stored files belong to no entry of the database. None was removed, because the database may be ` +
  'wrong. Restore the database first.'
