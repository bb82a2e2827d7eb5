import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { archiveRoutes } from '../modules/files/archive/archive.routes.ts'
import { fileRoutes } from '../modules/files/files.routes.ts'
import { createFileService } from '../modules/files/files.service.ts'
import { createFilesStore } from '../modules/files/files.store.ts'
import { createShareClaimsStore } from '../modules/files/sharing/share-claims.store.ts'
import { createSharesStore } from '../modules/files/sharing/shares.store.ts'
import { shareRoutes } from '../modules/files/sharing/sharing.routes.ts'
import { createSharingService } from '../modules/files/sharing/sharing.service.ts'
import { uploadRoutes } from '../modules/files/uploads/uploads.routes.ts'
import { createUploadService, type UploadService } from '../modules/files/uploads/uploads.service.ts'
import type { Users } from './users.ts'

interface MountFilesOptions extends Pick<Users, 'uploadsStore' | 'accountQueries'> {
  /** How often the slots of shared downloads in progress are extended. */
  readonly extendEveryMs?: number | undefined
}

/** Mounts the routes for uploads, files, archives and shares. Returns the upload service, which sessions use as well. */
export function mountFiles(
  app: FastifyInstance,
  context: ServerContext,
  { uploadsStore, accountQueries, extendEveryMs }: MountFilesOptions,
): UploadService {
  const { db, secrets } = context
  const uploads = createUploadService({ ...context, ...accountQueries, store: uploadsStore })
  uploadRoutes(app, { ...context, uploads })
  const files = createFileService({ ...context, store: createFilesStore(db) })
  fileRoutes(app, { ...context, files })
  archiveRoutes(app, { ...context, files })
  const sharing = createSharingService({
    ...context,
    store: createSharesStore(db),
    claims: createShareClaimsStore(db),
    secret: secrets.share,
    extendEveryMs,
  })
  shareRoutes(app, { ...context, sharing })
  return uploads
}
