import { cachePbkdf2 } from '@sallyport/lying-server/cache-pbkdf2'
import { testFlow } from '@sallyport/lying-server/test-flow'
import { afterAll, beforeAll, vi } from 'vitest'
import { sessionsFlow } from './sessions.flow.ts'
import { storedSessionFlow } from './stored-session.flow.ts'

// Session files need workers and IndexedDB; their keys are tested in the files flow.
vi.mock('#/features/sessions/room/session-transfers.ts', () => ({
  createSessionTransfers: () => ({ uploads: {}, interrupted: {}, downloads: {}, watch: () => () => {}, end: () => 0 }),
  removePersistedUploadsOf: async () => {},
}))

beforeAll(() => {
  cachePbkdf2()
  vi.stubGlobal('document', { visibilityState: 'hidden' })
})
afterAll(() => vi.unstubAllGlobals())

testFlow(sessionsFlow({ isPrivate: false }), 30)
testFlow(sessionsFlow({ isPrivate: true }), 50)
testFlow(storedSessionFlow(), 40)
