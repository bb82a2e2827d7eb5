import { adminBackup as contract } from '@sallyport/contract/admin-backup'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { LimitReads } from '../limit-reads.ts'
import type { RequireProof } from '../require-proof.ts'
import type { BackupService } from './backup.service.ts'

interface BackupRoutesDeps {
  readonly backups: BackupService
  readonly limitReads: LimitReads
  readonly requireProof: RequireProof
}

export function backupRoutes(app: FastifyInstance, { backups, limitReads, requireProof }: BackupRoutesDeps): void {
  mount(app, contract.status, async ({ caller }) => {
    await limitReads(caller.account)
    return backups.status()
  })

  mount(app, contract.start, async ({ caller }) => {
    await requireProof(caller.account)
    await backups.start(caller.account.userId)
    return { message: 'The backup has begun.' }
  })

  mount(app, contract.stop, async ({ caller }) => {
    await requireProof(caller.account)
    await backups.stop(caller.account.userId)
    return { message: 'The backup is stopped.' }
  })
}
