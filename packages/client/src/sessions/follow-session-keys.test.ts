import type { KeyMode, Session } from '@sallyport/contract/session-shapes'
import {
  createFileHeader,
  createFileKey,
  createLinkSecret,
  deriveEarlierSessionKey,
  deriveFileKeys,
  deriveSessionKey,
  type Root,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { answeredSession, sessionId } from '../testing/session-answers.ts'
import { followSessionKeys, rootOfFile } from './follow-session-keys.ts'
import { openSessionPlace } from './session-keys.ts'

const pin = '482910'
const linkSecret = createLinkSecret()
const shareOf = (epoch: number) => new Uint8Array(32).fill(epoch + 1)
const rootOf = (epoch: number) =>
  deriveSessionKey({ mode: 'secret', pin, sessionId, share: shareOf(epoch), linkSecret })

/** The answer of a server after this number of removals. */
function sessionAt(epoch: number): Session {
  const shares = Array.from({ length: epoch + 1 }, (_, at) => toBase64url(shareOf(at)))
  return answeredSession({
    key_mode: 'secret',
    key_share: shares.at(-1) ?? null,
    earlier_key_shares: shares.slice(0, -1),
  })
}

async function follow(session: Session, answers: readonly Session[] = []) {
  const holder = { pin, session, keyMode: 'secret' as KeyMode, linkSecret }
  const place = await openSessionPlace(holder)
  if (!place) throw new Error('The session has no key')
  const waiting = [...answers]
  let asked = 0
  let time = 0
  const keys = followSessionKeys({
    holder,
    place,
    now: () => time,
    async askSession() {
      asked += 1
      const answer = waiting.shift()
      if (!answer) throw new TypeError('Failed to fetch')
      return answer
    },
  })
  return { keys, asked: () => asked, wait: (ms: number) => (time += ms) }
}

async function envelopeUnder(root: Root): Promise<string> {
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind: 'session', plainBytes: 10 }))
  return wrapFileKey({ fileKey, keys, root, wrapType: 'session' })
}

test('SES-11 after a removal everything new is sealed under a root of the new share, and what was there still opens', async () => {
  const { keys } = await follow(sessionAt(0))
  const before = await envelopeUnder(keys.current().root)

  await keys.take(sessionAt(1))
  await keys.take(sessionAt(2))

  expect(keys.current().root).toEqual(await rootOf(2))
  expect(await rootOfFile(keys, before)).toEqual(await rootOf(0))
  expect(await rootOfFile(keys, await envelopeUnder(await rootOf(1)))).toEqual(await rootOf(1))
})

test('one who joins after removals opens what was sealed in each epoch, in version 1 too', async () => {
  const { keys, asked } = await follow(sessionAt(2))
  const earlier = await deriveEarlierSessionKey({ mode: 'secret', pin, sessionId, share: shareOf(0), linkSecret })

  for (const root of [await rootOf(0), await rootOf(1), await rootOf(2), earlier]) {
    expect(await rootOfFile(keys, await envelopeUnder(root))).toEqual(root)
  }
  expect(asked()).toBe(0)
})

test('a key of an epoch that this client has not heard of is asked for, at most once in two seconds', async () => {
  const { keys, asked, wait } = await follow(sessionAt(0), [sessionAt(1)])
  const next = await envelopeUnder(await rootOf(1))
  const foreign = await envelopeUnder(new Uint8Array(32).fill(99))

  expect(await rootOfFile(keys, next)).toEqual(await rootOf(1))
  await expect(rootOfFile(keys, foreign)).rejects.toMatchObject({ code: 'wrong-key' })
  expect(asked()).toBe(1)

  wait(2_000)
  await expect(rootOfFile(keys, foreign)).rejects.toMatchObject({ code: 'wrong-key' })
  expect(asked()).toBe(2)
  expect(keys.current().root).toEqual(await rootOf(1))
})

test('SES-11 an answer that takes a share back, or replaces an earlier one, changes no key', async () => {
  const { keys } = await follow(sessionAt(1))
  const replaced = { ...sessionAt(2), earlier_key_shares: [toBase64url(shareOf(7)), toBase64url(shareOf(1))] }
  const unusable = [null, '', 'A'.repeat(43), toBase64url(new Uint8Array(31).fill(1))].map((key_share) => ({
    ...sessionAt(2),
    key_share,
  }))

  for (const answer of [sessionAt(0), replaced, ...unusable]) await keys.take(answer)

  expect(keys.current().root).toEqual(await rootOf(1))
})

test('SES-11 shares that a server chooses leave the link secret in every root', async () => {
  const { keys } = await follow(sessionAt(0))
  await keys.take(sessionAt(1))

  const known = { pin, sessionId, share: shareOf(1) }
  expect(keys.current().keyMode).toBe('secret')
  expect(keys.current().root).not.toEqual(await deriveSessionKey({ mode: 'pin2', ...known }))
  expect(keys.current().root).toEqual(await deriveSessionKey({ mode: 'secret', ...known, linkSecret }))
})
