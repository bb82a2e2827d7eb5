import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type LiveEvent, livePath } from '@sallyport/contract/live'
import { sessions } from '@sallyport/contract/sessions'
import { createShareKey, sealMessage } from '@sallyport/crypto'
import { WebSocket } from 'ws'
import type { Account } from '../e2e/support/account.ts'
import { type Finding, judge, keep } from './findings.ts'
import { residentBytes, watchPeak } from './processes.ts'
import { percentile, spreadOf } from './spread.ts'
import { onWorkbench } from './workbench.ts'

const rooms = 2
const peopleInRoom = 50
const messagesEachSecond = 200
const seconds = 30
const socketsOfAddress = 25

interface Person {
  readonly token: string
  /** When each message was heard of, by its id. */
  readonly heard: Map<string, number[]>
  readonly socket: WebSocket
}

interface Room {
  readonly id: string
  readonly people: readonly Person[]
  /** When each message was sent, by its id. */
  readonly sent: Map<string, number>
}

/** Two sessions of fifty people who write two hundred messages a second: who hears of what, and when. */
export async function fillRooms(): Promise<Finding[]> {
  return onWorkbench(async ({ server, account }) => {
    const opened = await Promise.all(Array.from({ length: rooms }, () => openRoom(server.url, account)))
    const before = residentBytes(server.processId)
    const peak = watchPeak(() => residentBytes(server.processId))
    await talk(server.url, opened)
    const peakBytes = peak()
    const counted = opened.map(countHeard)
    const times = counted.flatMap((room) => room.times)
    const lost = counted.reduce((sum, room) => sum + room.lost, 0)
    const doubled = counted.reduce((sum, room) => sum + room.doubled, 0)
    const sent = opened.reduce((sum, room) => sum + room.sent.size, 0)
    for (const { people } of opened) for (const { socket } of people) socket.terminate()
    keep('rooms', { sent, lost, doubled, before, peakBytes, median: spreadOf(times).median })
    const about = `${rooms} sessions of ${peopleInRoom}, ${sent} messages in ${seconds} s`
    return [
      judge({
        id: 'R1',
        measure: `${about}: lost or heard twice`,
        value: lost + doubled,
        digits: 0,
        aim: { atMost: 0 },
      }),
      judge({
        id: 'R1',
        measure: `${about}: from sending until heard of, p99 (median ${spreadOf(times).median.toFixed(0)} ms)`,
        value: percentile(times, 0.99),
        digits: 0,
        unit: 'ms',
        aim: { atMost: 250 },
      }),
      judge({
        id: 'R1',
        measure: `${about}: memory of the server at most (${(before / 1e6).toFixed(0)} MB before)`,
        value: peakBytes / 1e6,
        digits: 0,
        unit: 'MB',
        aim: { atMost: 512 },
      }),
    ]
  })
}

async function openRoom(url: string, { call }: Account): Promise<Room> {
  const pin = String(100_000 + Math.floor(Math.random() * 899_999))
  const { session, participant_token: creator } = await call(sessions.create, {
    body: { session_pin: pin, key_mode: 'pin2' },
  })
  const tokens = [creator]
  while (tokens.length < peopleInRoom) {
    tokens.push((await call(sessions.join, { body: { session_pin: pin } })).participant_token)
  }
  const people = []
  for (const [place, token] of tokens.entries()) {
    const headers = { 'x-participant-token': token }
    const { ticket } = await call(sessions.ticket, { params: { id: session.id }, headers, body: {} })
    people.push(await listen(url, { token, ticket, localAddress: addressOf(place, session.id) }))
  }
  return { id: session.id, people, sent: new Map() }
}

/** A few sockets for each address, as people have them who are not all in one place. */
const addressOf = (place: number, sessionId: string): string =>
  `127.0.${1 + (Number.parseInt(sessionId.slice(-2), 16) % 200)}.${1 + Math.floor(place / socketsOfAddress)}`

interface Listening {
  readonly token: string
  readonly ticket: string
  readonly localAddress: string
}

function listen(url: string, { token, ticket, localAddress }: Listening): Promise<Person> {
  return new Promise((resolve, reject) => {
    const heard = new Map<string, number[]>()
    const address = `${url.replace('http', 'ws').replace('localhost', '127.0.0.1')}${livePath}?ticket=${ticket}`
    const socket = new WebSocket(address, { origin: url, localAddress })
    socket.once('error', reject)
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as LiveEvent
      if (event.type === 'ready') resolve({ token, heard, socket })
      if (event.type !== 'session.message.inserted') return
      heard.set(event.id, [...(heard.get(event.id) ?? []), performance.now()])
    })
  })
}

/** Everybody in turn writes a message, at an even pace; settles once nothing more is heard. */
async function talk(url: string, opened: readonly Room[]): Promise<void> {
  const total = messagesEachSecond * seconds
  const startedAt = performance.now()
  const sending: Promise<void>[] = []
  for (let count = 0; count < total; count += 1) {
    const due = startedAt + (count / messagesEachSecond) * 1000
    const early = due - performance.now()
    if (early > 1) await pause(early)
    const room = opened[count % opened.length]
    const person = room?.people[Math.floor(count / opened.length) % peopleInRoom]
    if (room && person) sending.push(write(url, room, person))
  }
  await Promise.all(sending)
  await pause(2_000)
}

async function write(url: string, room: Room, { token }: Person): Promise<void> {
  const root = createShareKey()
  const text = 'The gate opens at five.'
  const sealed = await sealMessage({ root, kind: 'session', contextId: room.id, text, sentAt: 0 })
  const body = JSON.stringify({ message_text: sealed.encryptedContent, encrypted_key: sealed.encryptedKey })
  const at = performance.now()
  const id = await post(`${url}/api/sessions/${room.id}/messages`, { token, body })
  room.sent.set(id, at)
}

/** A few connections that stay open, as browsers have them. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

function post(url: string, { token, body }: { token: string; body: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-participant-token': token }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      json(response).then((answer) => {
        const { message, error } = answer as { message?: { id: string }; error?: string }
        if (message) resolve(message.id)
        else reject(new Error(`${response.statusCode} ${error}`))
      }, reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

function countHeard({ people, sent }: Room): { times: number[]; lost: number; doubled: number } {
  const times: number[] = []
  let lost = 0
  let doubled = 0
  for (const { heard } of people) {
    for (const [id, at] of sent) {
      const [first, ...more] = heard.get(id) ?? []
      if (first === undefined) lost += 1
      else times.push(first - at)
      doubled += more.length
    }
  }
  return { times, lost, doubled }
}
