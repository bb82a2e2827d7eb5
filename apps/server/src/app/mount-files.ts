import type { FastifyInstance } from 'fastify'
import { archiveRoutes } from '../archive/archive.routes.ts'
import { fileRoutes } from '../files/files.routes.ts'
import { createFiles } from '../files/files.service.ts'
import { createFilesStore } from '../files/files.store.ts'
import { createShareClaimsStore } from '../sharing/share-claims.store.ts'
import { createSharesStore } from '../sharing/shares.store.ts'
import { shareRoutes } from '../sharing/sharing.routes.ts'
import { createSharing } from '../sharing/sharing.service.ts'
import { uploadRoutes } from '../uploads/uploads.routes.ts'
import { createUploads, type Uploads } from '../uploads/uploads.service.ts'
import type { Foundations } from './foundations.ts'
import type { People } from './people.ts'

/** Calls that send, keep, fetch and share files. Gives what receives uploads, which sessions need as well. */
export function mountFiles(app: FastifyInstance, foundations: Foundations, { uploadsStore, readers }: People): Uploads {
  const { db, now, attempts, listSlots, secrets, volumes, reached, strict, announce, announceToSession, onError } =
    foundations
  const uploads = createUploads({
    store: uploadsStore,
    volumes,
    announce,
    announceToSession,
    now,
    strict,
    ...readers,
    reached,
  })
  uploadRoutes(app, { uploads, attempts })
  const files = createFiles({ store: createFilesStore(db), volumes, announce, now, reached })
  fileRoutes(app, { files, volumes, attempts, listSlots, strict })
  archiveRoutes(app, { files, volumes, now })
  const sharing = createSharing({
    store: createSharesStore(db),
    claims: createShareClaimsStore(db),
    secret: secrets.share,
    attempts,
    announce,
    now,
    strict,
    onError,
  })
  shareRoutes(app, { sharing, volumes, strict })
  return uploads
}
