import { signIns as contract } from '@sallyport/contract/sign-ins'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../errors.ts'
import { mount } from '../../http/mount.ts'
import { withProductErrors } from '../protocol/product-errors.ts'
import type { BackupCodes } from './backup-codes.ts'

/** Codes on paper, in the product's own interface: the provider's protocol has no word for them. */
export function backupCodeRoutes(app: FastifyInstance, { backupCodes }: { readonly backupCodes: BackupCodes }): void {
  mount(app, contract.backupCodes, async ({ caller }) => ({ left: await backupCodes.left(caller.account.userId) }))

  mount(app, contract.makeBackupCodes, async ({ caller }) => {
    const codes = await withProductErrors(() => backupCodes.make(caller.account))
    if (!codes) throw refuse('MFA_REQUIRED', { text: 'Set up a second factor first' })
    return { codes }
  })

  mount(app, contract.useBackupCode, async ({ caller, body, address }) => {
    const session = await withProductErrors(() => backupCodes.use(caller.account, body.code, address))
    if (!session) throw refuse('BACKUP_CODE_INVALID')
    return { session }
  })
}
