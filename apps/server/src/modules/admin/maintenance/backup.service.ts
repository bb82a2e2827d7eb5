import type { BackupOutcome } from '@sallyport/contract/admin-backup'
import { ignore } from '@sallyport/contract/ignore'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { AdminsStore } from '../admins.store.ts'
import type { Audit, AuditEntry } from '../audit/audit.ts'
import { BackupError } from '../backup/backup-error.ts'
import type { BackupProgress } from '../backup/make-backup.ts'
import type { BackupProcessInput, BackupProcessResult } from './backup-process.ts'
import type { LatestBackupFinder } from './latest-backup.ts'

interface BackupServiceDeps extends Pick<ServerContext, 'now' | 'log'> {
  /** Null while BACKUP_DIR and BACKUP_TO are not set. */
  readonly target: BackupTarget | null
  readonly admins: Pick<AdminsStore, 'isAdmin'>
  readonly audit: Pick<Audit, 'runCheck' | 'runOutside'>
}

export interface BackupTarget {
  /** The folder of all runs. */
  readonly folder: string
  readonly isSealed: boolean
  readonly latest: LatestBackupFinder
  readonly runProcess: (input: Pick<BackupProcessInput, 'onProgress' | 'signal'>) => Promise<BackupProcessResult>
  /** Removes what a backup that did not end by itself has left. */
  readonly removeInterrupted: () => Promise<void>
}

interface RunningBackup {
  readonly since: number
  readonly controller: AbortController
  readonly ended: Promise<void>
  progress: BackupProgress
}

const begun: BackupProgress = { step: 'starting', files: 0, totalFiles: null }

/** Makes backups for admins, one at a time. What runs is known to this node only. */
export function createBackupService({ target, admins, audit, now, log }: BackupServiceDeps) {
  let running: RunningBackup | null = null
  let lastEnd: { readonly outcome: BackupOutcome; readonly time: number } | null = null

  async function requireAdmin(actorId: string): Promise<void> {
    if (!(await admins.isAdmin(actorId))) throw apiError('FORBIDDEN')
  }

  async function run(entry: AuditEntry, { folder, ...target }: BackupTarget, signal: AbortSignal): Promise<void> {
    try {
      await audit.runOutside(entry, async () => {
        const { failure, output } = await target.runProcess({
          signal,
          onProgress: (progress) => {
            if (running) running.progress = progress
          },
        })
        if (failure === null) return
        if (!signal.aborted) log.error({ folder, failure, output }, 'the backup failed')
        await target.removeInterrupted().catch((error: unknown) => ignore(error, 'the next backup removes it'))
        throw signal.aborted ? new BackupError('failed', output, 'BACKUP_STOPPED') : new BackupError(failure, output)
      })
      lastEnd = { outcome: 'done', time: now() }
    } catch (error) {
      lastEnd = { outcome: signal.aborted ? 'stopped' : failureOf(error), time: now() }
      if (!signal.aborted && !(error instanceof BackupError)) log.error({ err: error }, 'the backup failed')
    } finally {
      target.latest.forget()
      running = null
    }
  }

  return {
    async status() {
      const { latest, isReadable } = (await target?.latest.find()) ?? { latest: null, isReadable: true }
      return {
        settings: target && { folder: target.folder, is_sealed: target.isSealed },
        latest,
        is_readable: isReadable,
        running: running && {
          since: running.since,
          step: running.progress.step,
          files: running.progress.files,
          total_files: running.progress.totalFiles,
          is_stopping: running.controller.signal.aborted,
        },
        // A later one, such as by a timer, has made up for it.
        last_outcome: lastEnd !== null && (latest === null || latest.time <= lastEnd.time) ? lastEnd.outcome : null,
      }
    },

    /** Begins a backup and resolves when it runs. It is recorded in the audit log when it has ended. */
    async start(actorId: string): Promise<void> {
      const entry = entryOf('backup.made', actorId, {
        database: target?.isSealed === false ? 'plain' : 'sealed',
        objects: 'copied',
      })
      await audit.runCheck(entry, async () => {
        // The call may have waited.
        await requireAdmin(actorId)
        if (target === null) throw apiError('BACKUP_NOT_CONFIGURED')
        if (running) throw apiError('BACKUP_RUNNING')
        const controller = new AbortController()
        const ended = Promise.resolve().then(() => run(entry, target, controller.signal))
        running = { since: now(), controller, ended, progress: begun }
      })
    },

    /** Stops the backup that runs on this node, and resolves when it has ended. */
    async stop(actorId: string): Promise<void> {
      await audit.runOutside(entryOf('backup.stop', actorId), async () => {
        await requireAdmin(actorId)
        if (running === null) throw apiError('BACKUP_NOT_RUNNING')
        await abort()
      })
    },

    /** Stops the running backup, because the server stops. */
    close: abort,
  }

  async function abort(): Promise<void> {
    running?.controller.abort()
    await running?.ended
  }
}

export type BackupService = ReturnType<typeof createBackupService>

const failureOf = (error: unknown): BackupOutcome => (error instanceof BackupError ? error.failure : 'failed')

const entryOf = (action: string, actorId: string, details: AuditEntry['details'] = {}): AuditEntry => ({
  actorId,
  actorKind: 'admin',
  action,
  subjectId: null,
  details,
})
