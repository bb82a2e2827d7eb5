import type { CryptoErrorCode } from '../../errors.ts'
import {
  b64u,
  contextOf,
  lockMessage,
  type MessageInput,
  messagePayload,
  type Octets,
  sessionPayload,
} from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import { accountKey, countingBytes, join, otherRoot, withByteChanged, withBytesReplaced } from './inputs.ts'

const sessionId = 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10'
const participantId = '2d6b1d0e-0a4b-4d5c-8f0a-1b2c3d4e5f60'
const sender = countingBytes(0x33, 16)
const sentAt = 1_767_225_600_000
const root = accountKey
const [messageKind, nameKind] = [0x12, 0x13]

const createInput = (payload: Octets, changed: Partial<MessageInput> = {}): MessageInput => ({
  root,
  version: 2,
  kind: messageKind,
  uid: countingBytes(0x60, 16),
  context: contextOf(sessionId),
  contentKey: countingBytes(0x70, 32),
  keyIv: countingBytes(0xd0, 12),
  contentIv: countingBytes(0xe0, 12),
  payload,
  ...changed,
})
const payloadOf = (name: string, text: string) => sessionPayload({ senderId: sender, name, sentAt, text })
const asName: Partial<MessageInput> = { kind: nameKind, context: contextOf(`${sessionId}/${participantId}`) }

function sealedOf(input: MessageInput) {
  const { key, content } = lockMessage(input)
  return { encryptedKey: b64u(key), encryptedContent: b64u(content) }
}
const nameOf = (input: MessageInput): string => Object.values(sealedOf(input)).join('.')

export function validSessionMessages(): VectorCase[] {
  const messages = [
    ['a message with a name', 'Mara', 'hello everyone'],
    ['a message without a name', '', 'hello'],
    ['an empty message', 'Mara', ''],
    ['a message of many alphabets', 'Åsa 👋🏽', 'Grüße, 你好, שלום'],
    ['a message under the longest name', 'ö'.repeat(128), 'hi'],
  ] as const
  const cases = messages.flatMap(([what, senderName, text]): VectorCase[] => {
    const input = createInput(payloadOf(senderName, text))
    const opened = { senderId: b64u(sender), senderName, sentAt, text }
    const context = { root: root.toHex(), sessionId }
    return [
      {
        name: `seal in a session ${what}`,
        operation: 'seal-session-message',
        input: { ...context, ...opened, ...randomValuesOf(input) },
        expect: 'ok',
        output: sealedOf(input),
      },
      {
        name: `open in a session ${what}`,
        operation: 'open-session-message',
        input: { ...context, ...sealedOf(input) },
        expect: 'ok',
        output: opened,
      },
    ]
  })
  const input = createInput(payloadOf('Mara', ''), asName)
  const opened = { senderId: b64u(sender), senderName: 'Mara', sentAt }
  const place = { root: root.toHex(), sessionId, participantId }
  return [
    ...cases,
    {
      name: 'seal the name of a participant',
      operation: 'seal-session-name',
      input: { ...place, ...opened, ...randomValuesOf(input) },
      expect: 'ok',
      output: { sealedName: nameOf(input) },
    },
    {
      name: 'open the name of a participant',
      operation: 'open-session-name',
      input: { ...place, sealedName: nameOf(input) },
      expect: 'ok',
      output: opened,
    },
  ]
}

const randomValuesOf = (input: MessageInput) => ({
  messageUid: input.uid.toHex(),
  contentKey: input.contentKey.toHex(),
  keyIv: input.keyIv.toHex(),
  contentIv: input.contentIv.toHex(),
})

export function invalidSessionMessages(): VectorCase[] {
  const payload = payloadOf('Mara', 'hello')
  const { key, content } = lockMessage(createInput(payload))
  const [keyText, contentText] = [b64u(key), b64u(content)]
  const keyOf = (changed: Partial<MessageInput>) => sealedOf(createInput(payload, changed)).encryptedKey
  const contentOf = (changed: Octets) => sealedOf(createInput(changed)).encryptedContent
  const version1 = sealedOf(createInput(messagePayload('hello', sentAt), { version: 1 }))
  const name = sealedOf(createInput(payloadOf('Mara', ''), asName))
  const nameInSession = sealedOf(createInput(payloadOf('Mara', ''), { kind: nameKind }))
  const tooLong = payloadOf('o'.repeat(257), 'hello')

  const messages: readonly (readonly [string, string, string, CryptoErrorCode])[] = [
    ['a message of version 1', version1.encryptedKey, version1.encryptedContent, 'malformed'],
    ['version 1 written over it', b64u(withBytesReplaced(key, 4, Uint8Array.of(1))), contentText, 'malformed'],
    ['version 3', b64u(withBytesReplaced(key, 4, Uint8Array.of(3))), contentText, 'unsupported-version'],
    [
      'the kind of personal messages',
      b64u(withBytesReplaced(key, 5, Uint8Array.of(0x11))),
      contentText,
      'unsupported-version',
    ],
    [
      'the kind of names written over it',
      b64u(withBytesReplaced(key, 5, Uint8Array.of(nameKind))),
      contentText,
      'malformed',
    ],
    ['the name of a participant', name.encryptedKey, name.encryptedContent, 'malformed'],
    ['a name sealed for the session', nameInSession.encryptedKey, nameInSession.encryptedContent, 'malformed'],
    [
      'a name with the kind of messages written over it',
      b64u(
        withBytesReplaced(
          lockMessage(createInput(payloadOf('Mara', ''), { kind: nameKind })).key,
          5,
          Uint8Array.of(0x12),
        ),
      ),
      nameInSession.encryptedContent,
      'wrong-key',
    ],
    ['the message of another session', keyOf({ context: contextOf('another') }), contentText, 'malformed'],
    ['a message under another root', keyOf({ root: otherRoot }), contentText, 'wrong-key'],
    ['a changed message id', b64u(withByteChanged(key, 8)), contentText, 'damaged'],
    ['a changed wrapped key', b64u(withByteChanged(key, 68)), contentText, 'damaged'],
    ['a changed byte of the content', keyText, b64u(withByteChanged(content, 20)), 'damaged'],
    ['a payload of version 1', keyText, contentOf(messagePayload('hello', sentAt)), 'unsupported-version'],
    ['a payload without a sender', keyText, contentOf(payload.slice(0, 20)), 'malformed'],
    ['a name that is longer than its payload', keyText, contentOf(payload.slice(0, 29)), 'malformed'],
    ['a name of 257 bytes', keyText, contentOf(tooLong), 'malformed'],
    ['a payload that is no text', keyText, contentOf(join(payload, Uint8Array.of(0xc3))), 'malformed'],
  ]
  const nameText = nameOf(createInput(payloadOf('Mara', ''), asName))
  const otherContext = contextOf(`${sessionId}/${sessionId}`)
  const names: readonly (readonly [string, string, CryptoErrorCode])[] = [
    [
      'the name of another participant',
      nameOf(createInput(payload, { ...asName, context: otherContext })),
      'malformed',
    ],
    ['a message', `${keyText}.${contentText}`, 'malformed'],
    ['a name with a text', nameOf(createInput(payload, asName)), 'malformed'],
    ['a name of version 1', `${version1.encryptedKey}.${version1.encryptedContent}`, 'malformed'],
    ['a name under another root', nameOf(createInput(payload, { ...asName, root: otherRoot })), 'wrong-key'],
    ['a third part', `${nameText}.${contentText}`, 'malformed'],
    ['a name that is not sealed', 'Mara', 'malformed'],
  ]
  const context = { root: root.toHex(), sessionId }
  return [
    ...messages.map(
      ([what, encryptedKey, encryptedContent, expect]): VectorCase => ({
        name: `refuse ${what} as a message of a session`,
        operation: 'open-session-message',
        input: { ...context, encryptedKey, encryptedContent },
        expect,
      }),
    ),
    ...names.map(
      ([what, sealedName, expect]): VectorCase => ({
        name: `refuse ${what} as the name of a participant`,
        operation: 'open-session-name',
        input: { ...context, participantId, sealedName },
        expect,
      }),
    ),
  ]
}
