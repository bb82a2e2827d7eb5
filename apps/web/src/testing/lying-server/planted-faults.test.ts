import { cacheStretching } from '@sallyport/client/testing/lying-server/cached-stretching'
import { findViolations } from '@sallyport/client/testing/lying-server/test-flow'
import { beforeAll, expect, test, vi } from 'vitest'
import { openSessionBrowser } from './session-browser.ts'
import { sessionsFlow } from './sessions.flow.ts'

vi.mock('#/sessions/room-transfers.ts', () => ({
  createRoomTransfers: () => ({ uploads: {}, unfinished: {}, downloads: {}, watch: () => () => {}, end: () => 0 }),
  forgetUploadsOf: async () => {},
}))

beforeAll(cacheStretching)

/** A browser that goes on with the weaker key mode where the server names one for a session for holders of a link. */
const believesKeyMode: typeof openSessionBrowser = (server) => {
  const browser = openSessionBrowser(server)
  return {
    ...browser,
    async create() {
      await browser.create(true)
      if (browser.room() === null) await browser.create(false)
    },
  }
}

test('the suite notices a browser that seals under the key mode that a server answers', async () => {
  const flow = sessionsFlow({ isPrivate: true, openBrowser: believesKeyMode })
  expect(Object.keys(await findViolations(flow, 2))).toContain(
    'the server reads a message of a session that only holders of the link can read',
  )
})
