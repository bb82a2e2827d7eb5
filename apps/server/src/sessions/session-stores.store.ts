import type { Database } from '../db/schema.ts'
import { createAdmissionsStore } from './admissions.store.ts'
import { createKeySharesStore } from './key-shares.store.ts'
import { createKnocksStore } from './knocks.store.ts'
import { createParticipantsStore } from './participants.store.ts'
import { createSessionFilesStore } from './session-files.store.ts'
import { createSessionMessagesStore } from './session-messages.store.ts'
import { createSessionsStore } from './sessions.store.ts'

/** All that sessions keep in the database. */
export const createSessionStores = (db: Database) => ({
  sessions: createSessionsStore(db),
  participants: createParticipantsStore(db),
  knocks: createKnocksStore(db),
  shares: createKeySharesStore(db),
  messages: createSessionMessagesStore(db),
  files: createSessionFilesStore(db),
  admissions: createAdmissionsStore(db),
})
