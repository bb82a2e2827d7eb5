import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { CryptoErrorCode } from '../../errors.ts'
import type { MessageKind } from '../../message-parts.ts'
import { b64u, contextOf, lockMessage, type MessageInput, messagePayload, type Octets } from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import { accountKey, countingBytes, join, otherRoot, withByteChanged, withBytesReplaced } from './inputs.ts'
import { nonCanonical } from './names.ts'

const userId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'
const sentAt = 1_767_225_600_000
const byteOf: Record<MessageKind, number> = { personal: 0x11, session: 0x12 }

const createInput = (text: string, changed: Partial<MessageInput> = {}): MessageInput => ({
  root: accountKey,
  kind: byteOf.personal,
  uid: countingBytes(0x60, 16),
  context: contextOf(userId),
  contentKey: countingBytes(0x70, 32),
  keyIv: countingBytes(0xd0, 12),
  contentIv: countingBytes(0xe0, 12),
  payload: messagePayload(text, sentAt),
  ...changed,
})

export function validMessages(): VectorCase[] {
  const messages: readonly (readonly [what: string, text: string, kind: MessageKind])[] = [
    ['a message', 'hello', 'personal'],
    ['a message in a session', 'hello everyone', 'session'],
    ['an empty message', '', 'personal'],
    ['a message of many alphabets', 'Grüße, привет, 你好, שלום, 👋🏽', 'personal'],
    ['a message that fills its block', 'x'.repeat(54), 'personal'],
    ['a message that just needs another block', 'x'.repeat(55), 'session'],
  ]
  return messages.flatMap(([what, text, kind]): VectorCase[] => {
    const input = createInput(text, { kind: byteOf[kind] })
    const { key, content } = lockMessage(input)
    const sealed = { encryptedKey: b64u(key), encryptedContent: b64u(content) }
    const context = { root: input.root.toHex(), kind, contextId: userId }
    return [
      {
        name: `seal ${what}`,
        operation: 'seal-message',
        input: {
          ...context,
          text,
          sentAt,
          messageUid: input.uid.toHex(),
          contentKey: input.contentKey.toHex(),
          keyIv: input.keyIv.toHex(),
          contentIv: input.contentIv.toHex(),
        },
        expect: 'ok',
        output: sealed,
      },
      {
        name: `open ${what}`,
        operation: 'open-message',
        input: { ...context, ...sealed },
        expect: 'ok',
        output: { text, sentAt },
      },
    ]
  })
}

export function invalidMessages(): VectorCase[] {
  const { key, content } = lockMessage(createInput('hello'))
  const other = lockMessage(createInput('other', { uid: countingBytes(0x90, 16), contentKey: countingBytes(0x22, 32) }))
  const keyOf = (changed: Partial<MessageInput>) => b64u(lockMessage(createInput('hello', changed)).key)
  const contentOf = (payload: Octets) => b64u(lockMessage(createInput('', { payload })).content)
  const [keyText, contentText] = [b64u(key), b64u(content)]
  const payload = messagePayload('hello', sentAt)

  const errorCases: readonly (readonly [string, string, string, CryptoErrorCode])[] = [
    ['a session message as a personal one', keyOf({ kind: byteOf.session }), contentText, 'malformed'],
    ['the message of another user', keyOf({ context: contextOf('another') }), contentText, 'malformed'],
    ['a message under another root', keyOf({ root: otherRoot }), contentText, 'wrong-key'],
    ['the content of another message', keyText, b64u(other.content), 'damaged'],
    ['the key of another message', b64u(other.key), contentText, 'damaged'],
    ['another kind written over it', b64u(withBytesReplaced(key, 5, Uint8Array.of(0x12))), contentText, 'malformed'],
    ['an unknown kind', b64u(withBytesReplaced(key, 5, Uint8Array.of(0x13))), contentText, 'unsupported-version'],
    ['version 2', b64u(withBytesReplaced(key, 4, Uint8Array.of(2))), contentText, 'unsupported-version'],
    [
      'the first reserved byte set',
      b64u(withBytesReplaced(key, 6, Uint8Array.of(1))),
      contentText,
      'unsupported-version',
    ],
    [
      'the second reserved byte set',
      b64u(withBytesReplaced(key, 7, Uint8Array.of(1))),
      contentText,
      'unsupported-version',
    ],
    ['another magic', b64u(withByteChanged(key, 0)), contentText, 'malformed'],
    ['a changed message id', b64u(withByteChanged(key, 8)), contentText, 'damaged'],
    ['a changed context', b64u(withByteChanged(key, 24)), contentText, 'malformed'],
    ['a changed key id', b64u(withByteChanged(key, 40)), contentText, 'wrong-key'],
    ['a changed IV of the key', b64u(withByteChanged(key, 56)), contentText, 'damaged'],
    ['a changed wrapped key', b64u(withByteChanged(key, 68)), contentText, 'damaged'],
    ['a changed tag of the key', b64u(withByteChanged(key, 115)), contentText, 'damaged'],
    ['a key that is cut', b64u(key.slice(0, 115)), contentText, 'malformed'],
    ['a key with a byte too much', b64u(join(key, Uint8Array.of(0))), contentText, 'malformed'],
    ['a key whose unused bits are set', nonCanonical(keyText), contentText, 'malformed'],
    ['a padded key', `${keyText}=`, contentText, 'malformed'],
    ['a changed byte of the content', keyText, b64u(withByteChanged(content, 12)), 'damaged'],
    ['a changed tag of the content', keyText, b64u(withByteChanged(content, content.length - 1)), 'damaged'],
    ['content that is cut', keyText, b64u(content.slice(0, -16)), 'damaged'],
    ['no content', keyText, '', 'damaged'],
    ['padded content', keyText, `${contentText}==`, 'malformed'],
    [
      'a payload of version 2',
      keyText,
      contentOf(withBytesReplaced(payload, 0, Uint8Array.of(2))),
      'unsupported-version',
    ],
    ['a payload without a time', keyText, contentOf(payload.slice(0, 5)), 'malformed'],
    ['a payload that is no text', keyText, contentOf(join(payload, Uint8Array.of(0xc3))), 'malformed'],
    [
      'a time beyond all numbers',
      keyText,
      contentOf(withBytesReplaced(payload, 1, utf8ToBytes('\x7fzzzzzzz'))),
      'malformed',
    ],
  ]
  return errorCases.map(([what, encryptedKey, encryptedContent, expect]) => ({
    name: `refuse ${what} as a message`,
    operation: 'open-message',
    input: { root: accountKey.toHex(), kind: 'personal', contextId: userId, encryptedKey, encryptedContent },
    expect,
  }))
}
