import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type LiveEvent, livePath } from '@sallyport/contract/live'
import { sessions } from '@sallyport/contract/sessions'
import { createShareKey, sealMessage } from '@sallyport/crypto'
import { WebSocket } from 'ws'
import type { Account } from '../../e2e/support/account/account.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { residentBytes, watchPeak } from '../lib/processes.ts'
import { percentile, spreadOf } from '../lib/statistics.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'

const sessionCount = 2
const participantsPerSession = 50
const messagesPerSecond = 200
const seconds = 30
const socketsPerAddress = 25

interface LoadParticipant {
  readonly token: string
  /** Receive times of each message by its id. */
  readonly received: Map<string, number[]>
  readonly socket: WebSocket
}

interface LoadSession {
  readonly id: string
  readonly participants: readonly LoadParticipant[]
  /** Send time of each message by its id. */
  readonly sent: Map<string, number>
}

/** Measures the delivery of 200 messages a second in 2 sessions with 50 participants each. */
export async function measureSessionLoad(): Promise<Finding[]> {
  return withBenchEnvironment(async ({ server, account }) => {
    const loadSessions = await Promise.all(
      Array.from({ length: sessionCount }, () => createLoadSession(server.url, account)),
    )
    const before = residentBytes(server.processId)
    const peak = watchPeak(() => residentBytes(server.processId))
    await sendMessages(server.url, loadSessions)
    const peakBytes = peak()
    const deliveries = loadSessions.map(countDeliveries)
    const times = deliveries.flatMap((delivery) => delivery.latencies)
    const lost = deliveries.reduce((sum, delivery) => sum + delivery.lost, 0)
    const duplicated = deliveries.reduce((sum, delivery) => sum + delivery.duplicated, 0)
    const sent = loadSessions.reduce((sum, session) => sum + session.sent.size, 0)
    for (const { participants } of loadSessions) for (const { socket } of participants) socket.terminate()
    saveResults('rooms', { sent, lost, duplicated, before, peakBytes, median: spreadOf(times).median })
    const about = `${sessionCount} sessions of ${participantsPerSession}, ${sent} messages in ${seconds} s`
    return [
      judge({
        id: 'R1',
        measure: `${about}: lost or duplicated`,
        value: lost + duplicated,
        decimals: 0,
        target: { atMost: 0 },
      }),
      judge({
        id: 'R1',
        measure: `${about}: delivery latency, p99 (median ${spreadOf(times).median.toFixed(0)} ms)`,
        value: percentile(times, 0.99),
        decimals: 0,
        unit: 'ms',
        target: { atMost: 250 },
      }),
      judge({
        id: 'R1',
        measure: `${about}: peak memory of the server (${(before / 1e6).toFixed(0)} MB before)`,
        value: peakBytes / 1e6,
        decimals: 0,
        unit: 'MB',
        target: { atMost: 512 },
      }),
    ]
  })
}

async function createLoadSession(url: string, { call }: Account): Promise<LoadSession> {
  const pin = String(100_000 + Math.floor(Math.random() * 899_999))
  const { session, participant_token: creator } = await call(sessions.create, {
    body: { session_pin: pin, key_mode: 'pin2' },
  })
  const tokens = [creator]
  while (tokens.length < participantsPerSession) {
    tokens.push((await call(sessions.join, { body: { session_pin: pin } })).participant_token)
  }
  const participants = []
  for (const [index, token] of tokens.entries()) {
    const headers = { 'x-participant-token': token }
    const { ticket } = await call(sessions.ticket, { params: { id: session.id }, headers, body: {} })
    participants.push(await subscribe(url, { token, ticket, localAddress: localAddressOf(index, session.id) }))
  }
  return { id: session.id, participants, sent: new Map() }
}

/** Distributes the sockets over several addresses, like people in different networks. */
const localAddressOf = (index: number, sessionId: string): string =>
  `127.0.${1 + (Number.parseInt(sessionId.slice(-2), 16) % 200)}.${1 + Math.floor(index / socketsPerAddress)}`

interface SubscribeInput {
  readonly token: string
  readonly ticket: string
  readonly localAddress: string
}

function subscribe(url: string, { token, ticket, localAddress }: SubscribeInput): Promise<LoadParticipant> {
  return new Promise((resolve, reject) => {
    const received = new Map<string, number[]>()
    const socketUrl = `${url.replace('http', 'ws').replace('localhost', '127.0.0.1')}${livePath}?ticket=${ticket}`
    const socket = new WebSocket(socketUrl, { origin: url, localAddress })
    socket.once('error', reject)
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as LiveEvent
      if (event.type === 'ready') resolve({ token, received, socket })
      if (event.type !== 'session.message.inserted') return
      received.set(event.id, [...(received.get(event.id) ?? []), performance.now()])
    })
  })
}

/** Sends messages of all participants in rotation at an even pace; resolves two seconds after the last one. */
async function sendMessages(url: string, opened: readonly LoadSession[]): Promise<void> {
  const total = messagesPerSecond * seconds
  const startedAt = performance.now()
  const sending: Promise<void>[] = []
  for (let count = 0; count < total; count += 1) {
    const due = startedAt + (count / messagesPerSecond) * 1000
    const waitMs = due - performance.now()
    if (waitMs > 1) await pause(waitMs)
    const loadSession = opened[count % opened.length]
    const participant = loadSession?.participants[Math.floor(count / opened.length) % participantsPerSession]
    if (loadSession && participant) sending.push(sendMessage(url, loadSession, participant))
  }
  await Promise.all(sending)
  await pause(2_000)
}

async function sendMessage(url: string, session: LoadSession, { token }: LoadParticipant): Promise<void> {
  const root = createShareKey()
  const text = 'The gate opens at five.'
  const sealed = await sealMessage({ root, kind: 'session', contextId: session.id, text, sentAt: 0 })
  const body = JSON.stringify({ message_text: sealed.encryptedContent, encrypted_key: sealed.encryptedKey })
  const at = performance.now()
  const id = await post(`${url}/api/sessions/${session.id}/messages`, { token, body })
  session.sent.set(id, at)
}

/** A small pool of keep-alive connections, as in browsers. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

function post(url: string, { token, body }: { token: string; body: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-participant-token': token }
    const clientRequest = request(url, { method: 'POST', agent, headers }, (response) => {
      json(response).then((answer) => {
        const { message, error } = answer as { message?: { id: string }; error?: string }
        if (message) resolve(message.id)
        else reject(new Error(`${response.statusCode} ${error}`))
      }, reject)
    })
    clientRequest.once('error', reject)
    clientRequest.end(body)
  })
}

function countDeliveries({ participants, sent }: LoadSession): {
  latencies: number[]
  lost: number
  duplicated: number
} {
  const latencies: number[] = []
  let lost = 0
  let duplicated = 0
  for (const { received } of participants) {
    for (const [id, at] of sent) {
      const [first, ...more] = received.get(id) ?? []
      if (first === undefined) lost += 1
      else latencies.push(first - at)
      duplicated += more.length
    }
  }
  return { latencies, lost, duplicated }
}
