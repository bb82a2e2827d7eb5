import { alwaysOnline } from '@sallyport/client/connectivity'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import { openSessionContext } from '@sallyport/client/sessions/session-keys'
import { trackSessionKeys } from '@sallyport/client/sessions/track-session-keys'
import { sessionAnswer, sessionId } from '@sallyport/client/testing/session-answers'
import {
  createLinkSecret,
  createSenderId,
  deriveSessionKey,
  sealSessionMessage,
  sealSessionName,
  toBase64url,
} from '@sallyport/crypto'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { rowsOf } from '#/components/messages/list/message-rows.ts'
import { until } from '#/testing/until.ts'
import { createAnonymousNames } from './anonymous-names.ts'
import { nameKeyOf } from './name-key.ts'
import type { SessionApi } from './session-api.ts'
import type { SessionTransfers } from './session-transfers.ts'
import { createUnlockedSession } from './unlocked-session.ts'

const pin = '482910'
const linkSecret = createLinkSecret()
const shareOf = (epoch: number) => new Uint8Array(32).fill(epoch + 1)
const rootOf = (epoch: number) =>
  deriveSessionKey({ mode: 'secret', pin, sessionId, share: shareOf(epoch), linkSecret })

/** A private session after one removal, with a clock that the test moves. */
async function openAfterRemoval() {
  const session = sessionAnswer({
    key_mode: 'secret',
    key_share: toBase64url(shareOf(1)),
    earlier_key_shares: [toBase64url(shareOf(0))],
  })
  const entered: JoinedSession = {
    pin,
    session,
    keyMode: 'secret',
    participantToken: 'T'.repeat(43),
    linkSecret,
    senderId: createSenderId(),
  }
  const context = await openSessionContext(entered)
  if (!context) throw new Error('The session key is missing')
  let time = 0
  const { participantNames, messageCache } = createUnlockedSession({
    entered,
    keys: trackSessionKeys({ holder: entered, context, fetchSession: async () => session, now: () => time }),
    api: {} as SessionApi,
    queries: new QueryClient(),
    connectivity: alwaysOnline,
    me: () => ({ name: 'Anonymous 1', isMe: true, chosenName: null }),
    anonymousNames: createAnonymousNames(),
    transfers: {} as SessionTransfers,
    origin: 'https://files.example.org',
  })
  return {
    messageCache,
    advance: (ms: number) => (time += ms),
    /** Returns the name that is shown for a participant who is listed with a name sealed under this epoch. */
    async nameOf(participantId: string, epoch: number): Promise<string | null | undefined> {
      const name = { senderId: createSenderId(), senderName: 'Mara', sentAt: 1 }
      const participant_name = await sealSessionName({ root: await rootOf(epoch), sessionId, participantId, ...name })
      const participant = { id: participantId, participant_name, is_creator: false, present: true, joined_at: 1 }
      participantNames.open([participant])
      await until(() => participantNames.current().has(nameKeyOf(participant)))
      return participantNames.current().get(nameKeyOf(participant))
    },
  }
}

test('SES-11 a name that first appears more than a minute after a removal does not open under the earlier key', async () => {
  const { nameOf, advance } = await openAfterRemoval()

  expect(await nameOf('present at the removal', 0)).toBe('Mara')
  advance(60_001)
  expect(await nameOf('forged by a removed participant', 0)).toBeNull()
  expect(await nameOf('joined later', 1)).toBe('Mara')
})

test('SES-11 a message under the key of a removed participant is marked among messages under the newer key', async () => {
  const { messageCache } = await openAfterRemoval()
  const sender = { sessionId, senderId: createSenderId(), senderName: 'Mara' }
  const seal = async (epoch: number, sentAt: number) => ({
    ...(await sealSessionMessage({ root: await rootOf(epoch), ...sender, text: `sent at ${sentAt}`, sentAt })),
    id: `${sentAt}`,
    createdAt: sentAt,
    expiresAt: 1_000_000,
    authorName: '',
    authorId: null,
  })
  const listed = await Promise.all([seal(0, 1), seal(1, 2), seal(0, 30_000), seal(0, 90_000), seal(1, 90_001)])
  messageCache.decrypt(listed)
  await until(() => messageCache.current().size === listed.length)
  const rows = rowsOf({ listed, decrypted: messageCache.current(), outgoing: null, expiredUntil: 0 })

  expect(rows.map(({ warning }) => warning)).toEqual([null, null, null, 'oldKey', null])
})
