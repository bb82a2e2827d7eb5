import { cacheStretching } from '@sallyport/client/testing/lying-server/cached-stretching'
import { testFlow } from '@sallyport/client/testing/lying-server/test-flow'
import { afterAll, beforeAll, vi } from 'vitest'
import { sessionsFlow } from './sessions.flow.ts'
import { storedSessionFlow } from './stored-session.flow.ts'

// Files of a session need workers and a database of the browser; their keys are tried in the flow of files.
vi.mock('#/sessions/room-transfers.ts', () => ({
  createRoomTransfers: () => ({ uploads: {}, unfinished: {}, downloads: {}, watch: () => () => {}, end: () => 0 }),
  forgetUploadsOf: async () => {},
}))

beforeAll(() => {
  cacheStretching()
  vi.stubGlobal('document', { visibilityState: 'hidden' })
})
afterAll(() => vi.unstubAllGlobals())

testFlow(sessionsFlow({ isPrivate: false }), 30)
testFlow(sessionsFlow({ isPrivate: true }), 50)
testFlow(storedSessionFlow(), 40)
