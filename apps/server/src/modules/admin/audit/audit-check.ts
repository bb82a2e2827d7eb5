import type { ServerContext } from '../../../context.ts'
import type { Job } from '../../../jobs.ts'
import type { AuditHead } from './audit.store.ts'
import type { Audit } from './audit.ts'

interface AuditCheckDeps extends Pick<ServerContext, 'log'> {
  readonly audit: Pick<Audit, 'verify'>
}

const dayMs = 24 * 3_600_000
/** Less than the command line verifies at once, because requests wait in the meantime. */
const rowsPerBatch = 1000

/** Verifies the audit log daily and logs its head, against which a missing end can be found later. */
export function createAuditCheck({ audit, log }: AuditCheckDeps): Job {
  let previousHead: AuditHead | undefined
  return {
    name: 'audit check',
    everyMs: dayMs,
    async run() {
      const result = await audit.verify({ expectedHead: previousHead, batch: rowsPerBatch })
      if (!result.ok) return log.error({ seq: result.seq, reason: result.reason }, 'the audit log was manipulated')
      previousHead = result.head
      log.info(result.head, 'the audit log is intact')
    },
  }
}
