import type { Database } from '../../platform/db/schema.ts'
import { createAdmissionsStore } from './admission/admissions.store.ts'
import { createJoinRequestsStore } from './admission/join-requests.store.ts'
import { createKeySharesStore } from './admission/key-shares.store.ts'
import { createSessionFilesStore } from './files/session-files.store.ts'
import { createSessionMessagesStore } from './messages/session-messages.store.ts'
import { createParticipantsStore } from './participants.store.ts'
import { createSessionsStore } from './sessions.store.ts'

/** All database stores of sessions. */
export const createSessionStores = (db: Database) => ({
  sessions: createSessionsStore(db),
  participants: createParticipantsStore(db),
  joinRequests: createJoinRequestsStore(db),
  shares: createKeySharesStore(db),
  messages: createSessionMessagesStore(db),
  files: createSessionFilesStore(db),
  admissions: createAdmissionsStore(db),
})

export type SessionStores = ReturnType<typeof createSessionStores>
