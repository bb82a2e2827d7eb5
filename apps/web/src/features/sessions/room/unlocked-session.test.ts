import { alwaysOnline } from '@sallyport/client/connectivity'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import { openSessionContext } from '@sallyport/client/sessions/session-keys'
import { trackSessionKeys } from '@sallyport/client/sessions/track-session-keys'
import { ownParticipantId, sessionAnswer, sessionId } from '@sallyport/client/testing/session-answers'
import { createSenderId, sealSessionMessage } from '@sallyport/crypto'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { createAnonymousNames } from './anonymous-names.ts'
import type { SessionApi } from './session-api.ts'
import type { SessionTransfers } from './session-transfers.ts'
import { createUnlockedSession } from './unlocked-session.ts'

const otherParticipantId = '00000000-0000-4000-8000-0000000000b2'

/** Whether a message with this encrypted sender and this listed author is shown as the user's own. */
async function isShownAsOwn(encryptedBy: 'me' | 'another', authorId: string | null): Promise<boolean | undefined> {
  const senderId = createSenderId()
  const entered: JoinedSession = {
    pin: '482910',
    session: sessionAnswer(),
    keyMode: 'pin2',
    participantToken: 'T'.repeat(43),
    linkSecret: null,
    senderId,
  }
  const context = await openSessionContext(entered)
  if (!context) throw new Error('The session key is missing')
  const session = createUnlockedSession({
    entered,
    keys: trackSessionKeys({ holder: entered, context, fetchSession: async () => entered.session }),
    api: {} as SessionApi,
    queries: new QueryClient(),
    connectivity: alwaysOnline,
    me: () => ({ name: 'Anonymous 1', isMe: true, chosenName: null }),
    anonymousNames: createAnonymousNames(),
    transfers: {} as SessionTransfers,
    origin: 'https://files.example.org',
  })
  const sender = encryptedBy === 'me' ? senderId : createSenderId()
  const message = { sessionId, senderId: sender, senderName: 'Ann', text: 'Hello', sentAt: 1 }
  const sealed = await sealSessionMessage({ root: context.root, ...message })
  session.messageCache.decrypt([{ id: 'message', ...sealed, createdAt: 1, expiresAt: 2, authorName: '', authorId }])
  await until(() => session.messageCache.current().has('message'))
  return session.messageCache.current().get('message')?.author?.isMe
}

test('session messages: a message whose sender and author both match is shown as own', async () => {
  expect(await isShownAsOwn('me', ownParticipantId)).toBe(true)
})

test.each([
  ['a member who copied the sender id of another message', 'me', otherParticipantId],
  ['a server that names this user as the author', 'another', ownParticipantId],
  ['a server that names no author', 'me', null],
] as const)('session messages: %s cannot forge a message of the user', async (_who, sealedBy, authorId) => {
  expect(await isShownAsOwn(sealedBy, authorId)).toBe(false)
})
