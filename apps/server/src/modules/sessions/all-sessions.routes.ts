import type { FastifyInstance } from 'fastify'
import type { Volumes } from '../../platform/storage/volumes.ts'
import { sessionFileRoutes } from './files/session-files.routes.ts'
import { sessionMessageRoutes } from './messages/session-messages.routes.ts'
import type { SessionServices } from './session-services.ts'
import { sessionRoutes } from './sessions.routes.ts'

interface AllSessionRoutesDeps {
  readonly services: SessionServices
  readonly volumes: Volumes
  readonly strict: boolean
}

export function allSessionRoutes(app: FastifyInstance, { services, volumes, strict }: AllSessionRoutesDeps): void {
  sessionRoutes(app, { ...services, strict })
  sessionMessageRoutes(app, services)
  sessionFileRoutes(app, { ...services, volumes, strict })
}
