import { authSessions as contract } from '@sallyport/contract/auth-sessions'
import type { FastifyInstance } from 'fastify'
import { apiError } from '../../../errors.ts'
import { mount } from '../../../platform/http/mount.ts'
import { withProductErrors } from '../protocol/product-errors.ts'
import type { BackupCodes } from './backup-codes.ts'

/** Endpoints for backup codes. They belong to the product's own API, because the auth protocol does not define them. */
export function backupCodeRoutes(app: FastifyInstance, { backupCodes }: { readonly backupCodes: BackupCodes }): void {
  mount(app, contract.backupCodes, async ({ caller }) => ({
    left: await backupCodes.countRemaining(caller.account.userId),
  }))

  mount(app, contract.makeBackupCodes, async ({ caller }) => {
    const codes = await withProductErrors(() => backupCodes.generate(caller.account))
    if (!codes) throw apiError('MFA_REQUIRED', { text: 'Set up two-factor authentication first' })
    return { codes }
  })

  mount(app, contract.useBackupCode, async ({ caller, body, address }) => {
    const session = await withProductErrors(() => backupCodes.redeem(caller.account, body.code, address))
    if (!session) throw apiError('BACKUP_CODE_INVALID')
    return { session }
  })
}
