import { signIns as contract } from '@sallyport/contract/sign-ins'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../errors.ts'
import { mount } from '../../http/mount.ts'
import { AuthRefusal } from '../protocol/auth-refusal.ts'
import type { BackupCodes } from './backup-codes.ts'

/** Codes on paper, in the product's own interface: the provider's protocol has no word for them. */
export function backupCodeRoutes(app: FastifyInstance, { backupCodes }: { readonly backupCodes: BackupCodes }): void {
  mount(app, contract.backupCodes, async ({ caller }) => ({ left: await backupCodes.left(caller.account.userId) }))

  mount(app, contract.makeBackupCodes, async ({ caller }) => {
    const codes = await backupCodes.make(caller.account).catch(inOwnCode)
    if (!codes) throw refuse('MFA_REQUIRED', { text: 'Set up a second factor first' })
    return { codes }
  })

  mount(app, contract.useBackupCode, async ({ caller, body, address }) => {
    const session = await backupCodes.use(caller.account, body.code, address).catch(inOwnCode)
    if (!session) throw refuse('BACKUP_CODE_INVALID')
    return { session }
  })
}

/** The provider's errors as this interface reports them. */
function inOwnCode(error: unknown): never {
  if (error instanceof AuthRefusal && error.code === 'reauthentication_needed') throw refuse('PASSWORD_PROOF_REQUIRED')
  if (!(error instanceof AuthRefusal) || error.code !== 'over_request_rate_limit') throw error
  const { retryAfterSeconds } = error
  throw refuse('RATE_LIMITED', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
}
