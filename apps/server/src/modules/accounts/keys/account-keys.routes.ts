import { accountKeys as contract } from '@sallyport/contract/account-keys'
import type { FastifyInstance } from 'fastify'
import { apiError } from '../../../errors.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { AccountKeysService } from './account-keys.service.ts'
import type { DeviceShares } from './device-shares.ts'

interface AccountKeyRoutesDeps {
  readonly accountKeys: AccountKeysService
  readonly deviceShares: DeviceShares
}

export function accountKeyRoutes(app: FastifyInstance, { accountKeys, deviceShares }: AccountKeyRoutesDeps): void {
  mount(app, contract.keys, async ({ caller }) => accountKeys.find(caller.account.userId))

  mount(app, contract.createKeys, async ({ caller, headers, body }) => {
    if (headers['if-none-match'] !== '*') throw apiError('PRECONDITION_REQUIRED')
    await accountKeys.create(caller.account.userId, body)
    return {}
  })

  mount(app, contract.stageKeys, async ({ caller, body }) => ({ slot: await accountKeys.stage(caller.account, body) }))

  mount(app, contract.commitKeys, async ({ caller, body }) => ({
    lostFiles: await accountKeys.commit(caller.account, body.slot),
  }))

  mount(app, contract.previousKeys, async ({ caller }) => ({
    previous: await accountKeys.listPrevious(caller.account),
  }))

  mount(app, contract.restoreKeys, async ({ caller, body }) => {
    await accountKeys.restore(caller.account, body.id)
    return {}
  })

  mount(app, contract.saveRecoveryKey, async ({ caller, body }) => {
    await accountKeys.saveRecoveryKey(caller.account, body)
    return {}
  })

  mount(app, contract.removeRecoveryKey, async ({ caller }) => {
    await accountKeys.removeRecoveryKey(caller.account)
    return {}
  })

  mount(app, contract.rememberDevice, ({ caller }) => deviceShares.create(caller.account))
  mount(app, contract.deviceShare, ({ caller }) => deviceShares.find(caller.account))
  mount(app, contract.forgetDevice, async ({ caller }) => {
    await deviceShares.remove(caller.account)
    return {}
  })
}
