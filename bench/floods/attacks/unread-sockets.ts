import { livePath } from '@sallyport/contract/live'
import { sessions } from '@sallyport/contract/sessions'
import { createShareKey, sealMessage } from '@sallyport/crypto'
import type { WebSocket } from 'ws'
import { createFloodAccount } from '../accounts.ts'
import { createHttpClient, type HttpClient, parseJson } from '../http-client.ts'
import { inParallel, repeatForever } from './repeat.ts'
import { nextMessage, openSignalling } from './signalling.ts'

const pairs = 10
const signalBytes = 62 * 1024
const signalEveryMs = 55
const unreadSockets = 45
const renameConcurrency = 4

/** 10 pairs of devices without an account: one of each pair sends large signals, the other one never reads. */
export async function signalToUnreadSockets(url: string): Promise<() => Promise<void>> {
  const client = createHttpClient(url, '127.1.3.1', 20)
  const signal = JSON.stringify({ type: 'webrtc-ice-candidate', data: { candidate: 'x'.repeat(signalBytes) } })
  return async () => {
    await inParallel(pairs, () =>
      repeatForever(1000, async () => {
        const { creator, joiner } = await openPair(client)
        joiner.pause()
        const closed = new Promise((resolve) => creator.once('close', resolve))
        const timer = setInterval(() => creator.send(signal), signalEveryMs)
        await closed.finally(() => clearInterval(timer))
        joiner.terminate()
      }),
    )
  }
}

async function openPair(client: HttpClient): Promise<{ creator: WebSocket; joiner: WebSocket }> {
  const creator = await openSignalling(client)
  const created = nextMessage(creator, 'room-created')
  creator.send(JSON.stringify({ type: 'create-room', deviceName: 'Laptop' }))
  const { roomCode } = await created
  const joiner = await openSignalling(client)
  const joined = nextMessage(joiner, 'room-joined')
  joiner.send(JSON.stringify({ type: 'join-room', roomCode, deviceName: 'Phone' }))
  await joined
  return { creator, joiner }
}

/** A session with 45 sockets that never read, whose participants change their names continuously. */
export async function renameWithUnreadSockets(url: string): Promise<() => Promise<void>> {
  const { call } = await createFloodAccount(url)
  const pin = String(100_000 + Math.floor(Math.random() * 899_999))
  const { session, participant_token } = await call(sessions.create, {
    body: { session_pin: pin, key_mode: 'pin2' },
  })
  const client = createHttpClient(url, '127.1.4.1', 60)
  const tokens = [participant_token]
  while (tokens.length < unreadSockets) {
    const answer = await client.send('POST', sessions.join.path, { body: { session_pin: pin } })
    tokens.push(parseJson<{ participant_token: string }>(answer).participant_token)
  }
  const names = await Promise.all(Array.from({ length: 20 }, () => createSealedName(session.id)))

  async function openUnread(token: string): Promise<void> {
    const headers = { 'x-participant-token': token }
    const path = `/api/sessions/${session.id}/tickets`
    const { ticket } = parseJson<{ ticket: string }>(await client.send('POST', path, { headers, body: {} }))
    const socket = await client.openSocket(`${livePath}?ticket=${ticket}`)
    socket.on('error', () => socket.terminate())
    socket.pause()
    await new Promise((resolve) => socket.once('close', resolve))
  }

  return async () => {
    await Promise.all([
      ...tokens.map((token) => repeatForever(1000, () => openUnread(token))),
      inParallel(renameConcurrency, (worker) =>
        repeatForever(4, () =>
          client.send('PUT', `/api/sessions/${session.id}/participant`, {
            headers: { 'x-participant-token': tokens[worker] ?? '' },
            body: { participant_name: names[Math.floor(Math.random() * names.length)] },
          }),
        ),
      ),
    ])
  }
}

/** Returns a sealed name of the maximum length. */
async function createSealedName(sessionId: string): Promise<string> {
  const { encryptedContent, encryptedKey } = await sealMessage({
    root: createShareKey(),
    kind: 'session',
    contextId: sessionId,
    text: 'x'.repeat(100),
    sentAt: 0,
  })
  return `${encryptedKey}.${encryptedContent}`
}
