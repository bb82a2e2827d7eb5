import type { FastifyInstance } from 'fastify'
import type { Volumes } from '../blobs/volumes.ts'
import type { Bus } from '../bus/bus.ts'
import type { SocketDoor } from '../live/socket-door.ts'
import type { OpenedSessions } from './open-sessions.ts'
import { sessionFileRoutes } from './session-files.routes.ts'
import { sessionLiveRoutes } from './session-live.routes.ts'
import { sessionMessageRoutes } from './session-messages.routes.ts'
import { sessionRoutes } from './sessions.routes.ts'

interface Deps {
  readonly opened: OpenedSessions
  readonly volumes: Volumes
  readonly door: SocketDoor
  readonly bus: Bus
  readonly strict: boolean
}

export function allSessionRoutes(app: FastifyInstance, { opened, volumes, door, bus, strict }: Deps): void {
  sessionRoutes(app, { ...opened, strict })
  sessionMessageRoutes(app, opened)
  sessionFileRoutes(app, { ...opened, volumes, strict })
  sessionLiveRoutes(app, { ...opened, door, bus })
}
