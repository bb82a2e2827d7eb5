import type { FastifyInstance } from 'fastify'
import type { Volumes } from '../blobs/volumes.ts'
import type { OpenedSessions } from './open-sessions.ts'
import { sessionFileRoutes } from './session-files.routes.ts'
import { sessionMessageRoutes } from './session-messages.routes.ts'
import { sessionRoutes } from './sessions.routes.ts'

interface Deps {
  readonly opened: OpenedSessions
  readonly volumes: Volumes
  readonly strict: boolean
}

export function allSessionRoutes(app: FastifyInstance, { opened, volumes, strict }: Deps): void {
  sessionRoutes(app, { ...opened, strict })
  sessionMessageRoutes(app, opened)
  sessionFileRoutes(app, { ...opened, volumes, strict })
}
