import { anonymousParticipant, type KeyMode } from '@sallyport/contract/session-shapes'
import {
  createLinkSecret,
  createSenderId,
  deriveSessionKey,
  type Root,
  sealMessage,
  sealSessionMessage,
  sealSessionName,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { answeredSession, ownParticipantId, sessionId } from '../testing/session-answers.ts'
import { readParticipantName, readSessionMessage } from './read-session.ts'
import { openSessionPlace, type SessionPlace } from './session-keys.ts'

const pin = '482910'
const otherParticipantId = '00000000-0000-4000-8000-0000000000b2'
const sentAt = 1_767_225_600_000
const mara = { senderId: createSenderId(), senderName: 'Mara', sentAt }
const noor = { senderId: createSenderId(), senderName: 'Noor', sentAt }

interface Place extends SessionPlace {
  readonly earlierRoot: Root
}

async function aPlace(keyMode: KeyMode = 'secret'): Promise<Place> {
  const linkSecret = keyMode === 'secret' ? createLinkSecret() : null
  const session = answeredSession({ key_mode: keyMode })
  const place = await openSessionPlace({ pin, session, keyMode, linkSecret })
  const [earlierRoot] = place?.roots.values() ?? []
  if (!place || !earlierRoot) throw new Error('The session has no key')
  return { ...place, earlierRoot }
}

async function aMessage({ root }: Pick<Place, 'root'>, sender: typeof mara, text: string) {
  const { encryptedKey, encryptedContent } = await sealSessionMessage({ root, sessionId, ...sender, text })
  return { encrypted_key: encryptedKey, content: encryptedContent, participant_name: anonymousParticipant }
}

async function anEarlierMessage({ earlierRoot: root }: Pick<Place, 'earlierRoot'>, text: string) {
  const sealed = await sealMessage({ root, kind: 'session', contextId: sessionId, text, sentAt })
  return { encrypted_key: sealed.encryptedKey, content: sealed.encryptedContent }
}

const asName = ({ encrypted_key, content }: { encrypted_key: string; content: string }) => `${encrypted_key}.${content}`
const partsOf = (sealedName: string) => {
  const [encrypted_key = '', content = ''] = sealedName.split('.')
  return { encrypted_key, content, participant_name: anonymousParticipant }
}

test('SES-11 a message shows the sender it was sealed by, whatever name and participant the server answers', async () => {
  const place = await aPlace()
  const message = await aMessage(place, mara, 'the gate code')
  const name = { root: place.root, sessionId, participantId: ownParticipantId, ...noor }
  const lies = [
    'Noor',
    anonymousParticipant,
    await sealSessionName(name),
    asName(await anEarlierMessage(place, 'Noor')),
  ]

  for (const participant_name of lies) {
    expect(await readSessionMessage({ ...message, participant_name }, place)).toEqual({
      ...mara,
      text: 'the gate code',
    })
  }
})

test('SES-11 a sealed name is not read as a message, and a message not as a name', async () => {
  const place = await aPlace()
  const name = await sealSessionName({ root: place.root, sessionId, participantId: ownParticipantId, ...mara })
  const message = await aMessage(place, mara, 'Noor')

  await expect(readSessionMessage(partsOf(name), place)).rejects.toMatchObject({ code: 'malformed' })
  expect(await readParticipantName({ id: ownParticipantId, participant_name: asName(message) }, place)).toBeNull()
})

test('SES-11 the name of one participant is not shown at another one', async () => {
  const place = await aPlace()
  const participant_name = await sealSessionName({
    root: place.root,
    sessionId,
    participantId: ownParticipantId,
    ...mara,
  })

  expect(await readParticipantName({ id: ownParticipantId, participant_name }, place)).toEqual({
    name: 'Mara',
    senderId: mara.senderId,
  })
  expect(await readParticipantName({ id: otherParticipantId, participant_name }, place)).toBeNull()
})

test.each<readonly [KeyMode, string | null]>([
  ['secret', null],
  ['pin2', null],
  ['pin', 'Noor'],
])('SES-11 in the mode %s a name that is not sealed is read as %j', async (keyMode, expected) => {
  const place = await aPlace(keyMode)

  const read = await readParticipantName({ id: ownParticipantId, participant_name: 'Noor' }, place)

  expect(read?.name ?? null).toBe(expected)
})

test.each<KeyMode>(['pin', 'pin2', 'secret'])(
  'messages and names of version 1 stay readable in the mode %s',
  async (keyMode) => {
    const place = await aPlace(keyMode)
    const message = await anEarlierMessage(place, 'from before')
    const participant_name = asName(await anEarlierMessage(place, 'Mara'))

    expect(await readSessionMessage({ ...message, participant_name }, place)).toEqual({
      text: 'from before',
      sentAt,
      senderId: null,
      senderName: 'Mara',
    })
    expect(await readParticipantName({ id: ownParticipantId, participant_name }, place)).toEqual({
      name: 'Mara',
      senderId: null,
    })
  },
)

test('SES-11 a server that knows the PIN and its own share writes no message of a private session', async () => {
  const place = await aPlace()
  const known = { pin, sessionId, share: new Uint8Array(32).fill(7) }
  const roots = await Promise.all([
    deriveSessionKey({ mode: 'pin', pin }),
    deriveSessionKey({ mode: 'pin2', ...known }),
    deriveSessionKey({ mode: 'secret', ...known, linkSecret: new Uint8Array(16).fill(1) }),
  ])

  for (const root of roots) {
    const forged = { root, earlierRoot: root }
    await expect(readSessionMessage(await aMessage(forged, mara, 'pay here'), place)).rejects.toThrow()
    const earlier = { ...(await anEarlierMessage(forged, 'pay here')), participant_name: anonymousParticipant }
    await expect(readSessionMessage(earlier, place)).rejects.toThrow()
  }
})

test('SES-11 a message of another session does not open, nor one whose version was rewritten', async () => {
  const [place, other] = [await aPlace(), await aPlace()]
  const message = await aMessage(place, mara, 'hello')
  const key = Uint8Array.fromBase64(message.encrypted_key, { alphabet: 'base64url' })
  key[4] = 1
  const encrypted_key = key.toBase64({ alphabet: 'base64url', omitPadding: true })

  await expect(readSessionMessage(message, other)).rejects.toThrow()
  await expect(readSessionMessage(message, { ...place, sessionId: otherParticipantId })).rejects.toThrow()
  await expect(readSessionMessage({ ...message, encrypted_key }, place)).rejects.toThrow()
})
