import { adminMaintenance as contract } from '@sallyport/contract/admin-maintenance'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { RequireProof } from '../require-proof.ts'
import type { Maintenance } from './maintenance.service.ts'

interface MaintenanceRoutesDeps {
  readonly maintenance: Maintenance
  readonly requireProof: RequireProof
}

export function maintenanceRoutes(app: FastifyInstance, { maintenance, requireProof }: MaintenanceRoutesDeps): void {
  mount(app, contract.cleanUp, async ({ caller, body, disconnectSignal }) => {
    await requireProof(caller.account)
    return maintenance.cleanUp({ actorId: caller.account.userId, type: body.cleanup_type, signal: disconnectSignal })
  })

  mount(app, contract.confirmClock, async ({ caller }) => {
    await requireProof(caller.account)
    await maintenance.confirmClock(caller.account.userId)
    return { message: 'Confirmed. What has expired is deleted within a minute.' }
  })
}
