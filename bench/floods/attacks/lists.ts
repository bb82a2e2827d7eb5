import { setTimeout as pause } from 'node:timers/promises'
import { sessions } from '@sallyport/contract/sessions'
import { createShareKey, sealMessage } from '@sallyport/crypto'
import { createFloodAccount } from '../accounts.ts'
import { createHttpClient, parseJson } from '../http-client.ts'
import { inParallel, repeatForever } from './repeat.ts'

const text = 'x'.repeat(63 * 1024)
const messageCount = 1500
const writers = 20
const readers = 8
/** Stays below the limit of five messages a second per participant. */
const messageIntervalMs = 220

/** A session holds 130 MB of messages, and 8 readers fetch all of them continuously. */
export async function readLongLists(url: string): Promise<() => Promise<void>> {
  const { call } = await createFloodAccount(url)
  const pin = String(100_000 + Math.floor(Math.random() * 899_999))
  const { session } = await call(sessions.create, { body: { session_pin: pin, key_mode: 'pin2' } })
  const clients = Array.from({ length: writers }, (_, number) => createHttpClient(url, `127.1.2.${number + 1}`))
  const tokens = await Promise.all(
    clients.map(async (client) =>
      parseJson<{ participant_token: string }>(
        await client.send('POST', sessions.join.path, { body: { session_pin: pin } }),
      ),
    ),
  )
  const root = createShareKey()
  const path = `/api/sessions/${session.id}/messages`
  await inParallel(writers, async (number) => {
    const headers = { 'x-participant-token': tokens[number]?.participant_token ?? '' }
    for (let count = 0; count < messageCount / writers; count += 1) {
      const { encryptedContent, encryptedKey } = await sealMessage({
        root,
        kind: 'session',
        contextId: session.id,
        text,
        sentAt: 0,
      })
      const body = { message_text: encryptedContent, encrypted_key: encryptedKey }
      await clients[number]?.send('POST', path, { headers, body })
      await pause(messageIntervalMs)
    }
  })
  return async () => {
    await inParallel(readers, (number) =>
      repeatForever(20, async () => {
        const headers = { 'x-participant-token': tokens[number]?.participant_token ?? '' }
        return clients[number]?.send('GET', path, { headers })
      }),
    )
  }
}
