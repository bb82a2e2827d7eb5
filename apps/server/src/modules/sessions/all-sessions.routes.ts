import type { FastifyInstance } from 'fastify'
import type { EndAfterExpiry } from '../../platform/storage/end-after-expiry.ts'
import type { Volumes } from '../../platform/storage/volumes.ts'
import { sessionFileRoutes } from './files/session-files.routes.ts'
import { sessionMessageRoutes } from './messages/session-messages.routes.ts'
import type { SessionServices } from './session-services.ts'
import { sessionRoutes } from './sessions.routes.ts'

interface AllSessionRoutesDeps {
  readonly services: SessionServices
  readonly volumes: Volumes
  readonly endAfterExpiry: EndAfterExpiry
  readonly strict: boolean
}

export function allSessionRoutes(app: FastifyInstance, deps: AllSessionRoutesDeps): void {
  const { services, volumes, endAfterExpiry, strict } = deps
  sessionRoutes(app, { ...services, strict })
  sessionMessageRoutes(app, services)
  sessionFileRoutes(app, { ...services, volumes, endAfterExpiry, strict })
}
