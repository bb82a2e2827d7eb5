import type { Entered } from '@sallyport/client/sessions/enter-session'
import { followSessionKeys } from '@sallyport/client/sessions/follow-session-keys'
import { openSessionPlace } from '@sallyport/client/sessions/session-keys'
import { answeredSession, ownParticipantId, sessionId } from '@sallyport/client/testing/session-answers'
import { createSenderId, sealSessionMessage } from '@sallyport/crypto'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { createMe, openRoomWith } from './open-room.ts'
import type { RoomCalls } from './room-calls.ts'
import type { RoomTransfers } from './room-transfers.ts'

const otherParticipantId = '00000000-0000-4000-8000-0000000000b2'

/** Whether a message sealed with this sender, and listed with this author, is shown as one's own. */
async function isShownAsOwn(sealedBy: 'me' | 'another', authorId: string | null): Promise<boolean | undefined> {
  const senderId = createSenderId()
  const entered: Entered = {
    pin: '482910',
    session: answeredSession(),
    keyMode: 'pin2',
    participantToken: 'T'.repeat(43),
    linkSecret: null,
    senderId,
  }
  const place = await openSessionPlace(entered)
  if (!place) throw new Error('The session has no key')
  const room = openRoomWith({
    entered,
    keys: followSessionKeys({ holder: entered, place, askSession: async () => entered.session }),
    calls: {} as RoomCalls,
    queries: new QueryClient(),
    me: createMe().current,
    transfers: {} as RoomTransfers,
    origin: 'https://files.example.org',
  })
  const sender = sealedBy === 'me' ? senderId : createSenderId()
  const written = { sessionId, senderId: sender, senderName: 'Ann', text: 'Hello', sentAt: 1 }
  const sealed = await sealSessionMessage({ root: place.root, ...written })
  room.book.open([{ id: 'message', ...sealed, createdAt: 1, expiresAt: 2, authorName: '', authorId }])
  await until(() => room.book.current().has('message'))
  return room.book.current().get('message')?.author?.isMe
}

test('a message is shown as one’s own when both its sender and its author are this person', async () => {
  expect(await isShownAsOwn('me', ownParticipantId)).toBe(true)
})

test.each([
  ['a member who copied the sender of another message', 'me', otherParticipantId],
  ['a server that names this person as the author', 'another', ownParticipantId],
  ['a server that names no author', 'me', null],
] as const)('%s has no message shown as one’s own', async (_who, sealedBy, authorId) => {
  expect(await isShownAsOwn(sealedBy, authorId)).toBe(false)
})
