import type { ServerContext } from '../../../context.ts'
import type { Job } from '../../../jobs.ts'
import type { AuditHead } from './audit.store.ts'
import type { Audit } from './audit.ts'

interface AuditCheckDeps extends Pick<ServerContext, 'log' | 'now'> {
  readonly audit: Pick<Audit, 'verify'>
}

interface CheckedAudit {
  readonly at: number
  /** The position of the first row that is not as it was written; null if there is none. */
  readonly broken_at: number | null
}

const dayMs = 24 * 3_600_000
/** Less than the command line verifies at once, because requests wait in the meantime. */
const rowsPerBatch = 1000

/** Verifies the audit log daily and logs its head, against which a missing end can be found later. */
export function createAuditCheck({ audit, log, now }: AuditCheckDeps) {
  let previousHead: AuditHead | undefined
  let latest: Promise<CheckedAudit> | null = null

  async function check(): Promise<CheckedAudit> {
    const result = await audit.verify({ expectedHead: previousHead, batch: rowsPerBatch })
    const at = now()
    if (!result.ok) {
      log.error({ seq: result.seq, reason: result.reason }, 'the audit log was manipulated')
      return { at, broken_at: result.seq }
    }
    previousHead = result.head
    log.info(result.head, 'the audit log is intact')
    return { at, broken_at: null }
  }

  /** The check is the latest one from its start. */
  function start(): Promise<CheckedAudit> {
    const started = check()
    latest = started
    started.catch(() => {
      if (latest === started) latest = null
    })
    return started
  }

  return {
    job: {
      name: 'audit check',
      everyMs: dayMs,
      async run() {
        await start()
      },
    } satisfies Job,
    /** The last verification by this node, which the first caller after the start waits for. */
    latest: (): Promise<CheckedAudit> => latest ?? start(),
  }
}

export type AuditCheck = ReturnType<typeof createAuditCheck>
