import { anonymousParticipant, type KeyMode } from '@sallyport/contract/session-shapes'
import {
  createLinkSecret,
  createSenderId,
  deriveSessionKey,
  type RootKey,
  sealMessage,
  sealSessionMessage,
  sealSessionName,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { ownParticipantId, sessionAnswer, sessionId } from '../testing/session-answers.ts'
import { readParticipantName, readSessionMessage } from './read-session.ts'
import { openSessionContext, type SessionContext } from './session-keys.ts'

const pin = '482910'
const otherParticipantId = '00000000-0000-4000-8000-0000000000b2'
const sentAt = 1_767_225_600_000
const mara = { senderId: createSenderId(), senderName: 'Mara', sentAt }
const noor = { senderId: createSenderId(), senderName: 'Noor', sentAt }

interface TestContext extends SessionContext {
  readonly earlierRoot: RootKey
}

async function createContext(keyMode: KeyMode = 'secret'): Promise<TestContext> {
  const linkSecret = keyMode === 'secret' ? createLinkSecret() : null
  const session = sessionAnswer({ key_mode: keyMode })
  const context = await openSessionContext({ pin, session, keyMode, linkSecret })
  const [earlierRoot] = context?.roots.values() ?? []
  if (!context || !earlierRoot) throw new Error('The session has no key')
  return { ...context, earlierRoot }
}

async function sealTestMessage({ root }: Pick<TestContext, 'root'>, sender: typeof mara, text: string) {
  const { encryptedKey, encryptedContent } = await sealSessionMessage({ root, sessionId, ...sender, text })
  return { encrypted_key: encryptedKey, content: encryptedContent, participant_name: anonymousParticipant }
}

async function sealVersion1Message({ earlierRoot: root }: Pick<TestContext, 'earlierRoot'>, text: string) {
  const sealed = await sealMessage({ root, kind: 'session', contextId: sessionId, text, sentAt })
  return { encrypted_key: sealed.encryptedKey, content: sealed.encryptedContent }
}

const toSealedName = ({ encrypted_key, content }: { encrypted_key: string; content: string }) =>
  `${encrypted_key}.${content}`
const toMessage = (sealedName: string) => {
  const [encrypted_key = '', content = ''] = sealedName.split('.')
  return { encrypted_key, content, participant_name: anonymousParticipant }
}

test('SES-11 a message shows the sender it was sealed by, whatever name and participant the server returns', async () => {
  const context = await createContext()
  const message = await sealTestMessage(context, mara, 'the gate code')
  const name = { root: context.root, sessionId, participantId: ownParticipantId, ...noor }
  const forgedNames = [
    'Noor',
    anonymousParticipant,
    await sealSessionName(name),
    toSealedName(await sealVersion1Message(context, 'Noor')),
  ]

  for (const participant_name of forgedNames) {
    expect(await readSessionMessage({ ...message, participant_name }, context)).toEqual({
      ...mara,
      text: 'the gate code',
    })
  }
})

test('SES-11 a sealed name is not accepted as a message, nor a message as a name', async () => {
  const context = await createContext()
  const name = await sealSessionName({ root: context.root, sessionId, participantId: ownParticipantId, ...mara })
  const message = await sealTestMessage(context, mara, 'Noor')

  await expect(readSessionMessage(toMessage(name), context)).rejects.toMatchObject({ code: 'malformed' })
  expect(
    await readParticipantName({ id: ownParticipantId, participant_name: toSealedName(message) }, context),
  ).toBeNull()
})

test('SES-11 the name of one participant is not shown for another one', async () => {
  const context = await createContext()
  const participant_name = await sealSessionName({
    root: context.root,
    sessionId,
    participantId: ownParticipantId,
    ...mara,
  })

  expect(await readParticipantName({ id: ownParticipantId, participant_name }, context)).toEqual({
    name: 'Mara',
    senderId: mara.senderId,
  })
  expect(await readParticipantName({ id: otherParticipantId, participant_name }, context)).toBeNull()
})

test.each<readonly [KeyMode, string | null]>([
  ['secret', null],
  ['pin2', null],
  ['pin', 'Noor'],
])('SES-11 in the mode %s a plain name is shown as %j', async (keyMode, expected) => {
  const context = await createContext(keyMode)

  const read = await readParticipantName({ id: ownParticipantId, participant_name: 'Noor' }, context)

  expect(read?.name ?? null).toBe(expected)
})

test.each<KeyMode>(['pin', 'pin2', 'secret'])(
  'messages and names of version 1 open in the mode %s',
  async (keyMode) => {
    const context = await createContext(keyMode)
    const message = await sealVersion1Message(context, 'from before')
    const participant_name = toSealedName(await sealVersion1Message(context, 'Mara'))

    expect(await readSessionMessage({ ...message, participant_name }, context)).toEqual({
      text: 'from before',
      sentAt,
      senderId: null,
      senderName: 'Mara',
    })
    expect(await readParticipantName({ id: ownParticipantId, participant_name }, context)).toEqual({
      name: 'Mara',
      senderId: null,
    })
  },
)

test('SES-11 a server that knows the PIN and its own share cannot forge a message of a private session', async () => {
  const context = await createContext()
  const input = { pin, sessionId, share: new Uint8Array(32).fill(7) }
  const roots = await Promise.all([
    deriveSessionKey({ mode: 'pin', pin }),
    deriveSessionKey({ mode: 'pin2', ...input }),
    deriveSessionKey({ mode: 'secret', ...input, linkSecret: new Uint8Array(16).fill(1) }),
  ])

  for (const root of roots) {
    const forged = { root, earlierRoot: root }
    await expect(readSessionMessage(await sealTestMessage(forged, mara, 'pay here'), context)).rejects.toThrow()
    const version1Message = {
      ...(await sealVersion1Message(forged, 'pay here')),
      participant_name: anonymousParticipant,
    }
    await expect(readSessionMessage(version1Message, context)).rejects.toThrow()
  }
})

test('SES-11 a message of another session does not open, nor one with a modified version', async () => {
  const [context, other] = [await createContext(), await createContext()]
  const message = await sealTestMessage(context, mara, 'hello')
  const key = Uint8Array.fromBase64(message.encrypted_key, { alphabet: 'base64url' })
  key[4] = 1
  const encrypted_key = key.toBase64({ alphabet: 'base64url', omitPadding: true })

  await expect(readSessionMessage(message, other)).rejects.toThrow()
  await expect(readSessionMessage(message, { ...context, sessionId: otherParticipantId })).rejects.toThrow()
  await expect(readSessionMessage({ ...message, encrypted_key }, context)).rejects.toThrow()
})
