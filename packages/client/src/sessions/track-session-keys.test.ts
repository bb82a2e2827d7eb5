import type { KeyMode, Session } from '@sallyport/contract/session-shapes'
import {
  createFileHeader,
  createFileKey,
  createLinkSecret,
  deriveFileKeys,
  deriveSessionKey,
  deriveVersion1SessionKey,
  type RootKey,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import { expect, test } from 'vitest'
import { sessionAnswer, sessionId } from '../testing/session-answers.ts'
import { openSessionContext } from './session-keys.ts'
import { findFileRootKey, trackSessionKeys } from './track-session-keys.ts'

const pin = '482910'
const linkSecret = createLinkSecret()
const shareOf = (epoch: number) => new Uint8Array(32).fill(epoch + 1)
const rootOf = (epoch: number) =>
  deriveSessionKey({ mode: 'secret', pin, sessionId, share: shareOf(epoch), linkSecret })

/** The response of a server after this number of removals. */
function sessionAt(epoch: number): Session {
  const shares = Array.from({ length: epoch + 1 }, (_, index) => toBase64url(shareOf(index)))
  return sessionAnswer({
    key_mode: 'secret',
    key_share: shares.at(-1) ?? null,
    earlier_key_shares: shares.slice(0, -1),
  })
}

async function startTracking(session: Session, responses: readonly Session[] = []) {
  const holder = { pin, session, keyMode: 'secret' as KeyMode, linkSecret }
  const context = await openSessionContext(holder)
  if (!context) throw new Error('The session has no key')
  const queue = [...responses]
  let fetchCount = 0
  let time = 0
  const keys = trackSessionKeys({
    holder,
    context,
    now: () => time,
    async fetchSession() {
      fetchCount += 1
      const response = queue.shift()
      if (!response) throw new TypeError('Failed to fetch')
      return response
    },
  })
  return { keys, countFetches: () => fetchCount, advance: (ms: number) => (time += ms) }
}

async function envelopeUnder(root: RootKey): Promise<string> {
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind: 'session', plainBytes: 10 }))
  return wrapFileKey({ fileKey, keys, root, wrapType: 'session' })
}

test('SES-11 after a removal new contents are sealed under a root key of the new share, and earlier contents still open', async () => {
  const { keys } = await startTracking(sessionAt(0))
  const before = await envelopeUnder(keys.current().root)

  await keys.update(sessionAt(1))
  await keys.update(sessionAt(2))

  expect(keys.current().root).toEqual(await rootOf(2))
  expect(await findFileRootKey(keys, before)).toEqual(await rootOf(0))
  expect(await findFileRootKey(keys, await envelopeUnder(await rootOf(1)))).toEqual(await rootOf(1))
})

test('a participant who joins after removals opens the contents of each epoch, version 1 included', async () => {
  const { keys, countFetches } = await startTracking(sessionAt(2))
  const earlier = await deriveVersion1SessionKey({ mode: 'secret', pin, sessionId, share: shareOf(0), linkSecret })

  for (const root of [await rootOf(0), await rootOf(1), await rootOf(2), earlier]) {
    expect(await findFileRootKey(keys, await envelopeUnder(root))).toEqual(root)
  }
  expect(countFetches()).toBe(0)
})

test('an unknown key id fetches the session at most once in 2 s', async () => {
  const { keys, countFetches, advance } = await startTracking(sessionAt(0), [sessionAt(1)])
  const next = await envelopeUnder(await rootOf(1))
  const foreign = await envelopeUnder(new Uint8Array(32).fill(99))

  expect(await findFileRootKey(keys, next)).toEqual(await rootOf(1))
  await expect(findFileRootKey(keys, foreign)).rejects.toMatchObject({ code: 'wrong-key' })
  expect(countFetches()).toBe(1)

  advance(2_000)
  await expect(findFileRootKey(keys, foreign)).rejects.toMatchObject({ code: 'wrong-key' })
  expect(countFetches()).toBe(2)
  expect(keys.current().root).toEqual(await rootOf(1))
})

test('a key id is outdated once a newer epoch has been known for more than a minute, by the clock of the client', async () => {
  const { keys, advance } = await startTracking(sessionAt(1))
  const keyIdOf = async (epoch: number) => parseEnvelope(await envelopeUnder(await rootOf(epoch))).keyId
  const [first, second, third] = await Promise.all([keyIdOf(0), keyIdOf(1), keyIdOf(2)])
  const areOutdated = () => [first, second, third].map(keys.isOutdated)

  advance(60_000)
  expect(areOutdated()).toEqual([false, false, false])
  await keys.update(sessionAt(2))
  advance(1)
  expect(areOutdated()).toEqual([true, false, false])
  advance(60_000)
  expect(areOutdated()).toEqual([true, true, false])
})

test('SES-11 a response that withdraws or replaces an earlier share changes no key', async () => {
  const { keys } = await startTracking(sessionAt(1))
  const replaced = { ...sessionAt(2), earlier_key_shares: [toBase64url(shareOf(7)), toBase64url(shareOf(1))] }
  const unusable = [null, '', 'A'.repeat(43), toBase64url(new Uint8Array(31).fill(1))].map((key_share) => ({
    ...sessionAt(2),
    key_share,
  }))

  for (const response of [sessionAt(0), replaced, ...unusable]) await keys.update(response)

  expect(keys.current().root).toEqual(await rootOf(1))
})

test('SES-11 with shares chosen by the server every root key still depends on the link secret', async () => {
  const { keys } = await startTracking(sessionAt(0))
  await keys.update(sessionAt(1))

  const input = { pin, sessionId, share: shareOf(1) }
  expect(keys.current().keyMode).toBe('secret')
  expect(keys.current().root).not.toEqual(await deriveSessionKey({ mode: 'pin2', ...input }))
  expect(keys.current().root).toEqual(await deriveSessionKey({ mode: 'secret', ...input, linkSecret }))
})
