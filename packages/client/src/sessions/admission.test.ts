import { createLinkSecret } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { type AdmissionRelay, formatAdmissionMessage, parseAdmissionMessage } from './admission-messages.ts'
import { openAdmissionQueue } from './admission-queue.ts'
import { requestAdmission } from './request-admission.ts'

const context = { origin: 'https://sallyport.test', sessionId: 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10' }

/** Relays every message to all participants in the same order, like the server. */
function createRelayHub() {
  const sent: string[] = []
  const listeners = new Set<(from: string, body: string) => void>()
  const hub = {
    sent,
    tamper: (body: string): string => body,
    relayOf: (participant: string): AdmissionRelay => ({
      async send(body) {
        const relayed = hub.tamper(body)
        sent.push(relayed)
        queueMicrotask(() => {
          for (const listener of [...listeners]) listener(participant, relayed)
        })
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }),
  }
  return hub
}

async function startAdmission(hub = createRelayHub(), newcomer = 'newcomer') {
  const linkSecret = createLinkSecret()
  const clock = createManualClock()
  const queue = openAdmissionQueue({ ...context, relay: hub.relayOf('member'), linkSecret, clock })
  const request = requestAdmission({ ...context, relay: hub.relayOf(newcomer), clock })
  const admission = await queue.admit(await waitForRequest(queue))
  await expect.poll(() => request.current()).toBe('code')
  return { hub, queue, request, admission, linkSecret, clock }
}

async function waitForRequest(queue: ReturnType<typeof openAdmissionQueue>) {
  await expect.poll(() => queue.current()).not.toEqual([])
  const [pending] = queue.current()
  if (!pending) throw new Error('No admission request')
  return pending
}

const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a newcomer who enters the code gets the link secret, and the server sees neither', async () => {
  const { hub, queue, request, admission, linkSecret } = await startAdmission()

  await request.enterCode(admission.code)

  expect(await request.linkSecret).toEqual(linkSecret)
  expect(await admission.finished).toBe('admitted')
  expect(request.current()).toBe('admitted')
  expect(queue.current()).toEqual([])
  expect(admission.code).toMatch(/^\d{6}$/)
  expect(hub.sent.map((body) => parseAdmissionMessage(body)?.kind)).toEqual([
    'knock',
    'offer',
    'y',
    'y2',
    'ok',
    'grant',
  ])
  expect(hub.sent.join()).not.toContain(linkSecret.toBase64({ alphabet: 'base64url', omitPadding: true }))
  expect(hub.sent.join()).not.toContain(`.${admission.code}`)
})

test('a wrong code admits no one and is used up; after 3 of them the newcomer is ignored', async () => {
  const { queue, request, admission, clock } = await startAdmission()
  let current = admission

  for (let tries = 0; tries < 3; tries += 1) {
    await request.enterCode(wrongCode(current.code))
    await expect.poll(() => request.current()).toBe('wrong-code')
    expect(await current.finished).toBe('wrong-code')
    await request.retry()
    if (tries === 2) break
    current = await queue.admit(await waitForRequest(queue))
    await expect.poll(() => request.current()).toBe('code')
  }

  await expect.poll(() => queue.current(), { message: 'three failed codes' }).toEqual([])
  await clock.advance(15 * 60_000)
  await request.retry()
  await expect.poll(() => queue.current()).toHaveLength(1)
})

test('a code expires after two minutes for both, and a new request can be sent', async () => {
  const { queue, request, admission, clock } = await startAdmission()
  expect(admission.expiresAt - clock.now()).toBe(2 * 60_000)

  await clock.advance(2 * 60_000)

  expect(await admission.finished).toBe('timeout')
  await expect.poll(() => request.current()).toBe('expired')
  await request.retry()
  await expect.poll(() => queue.current()).toHaveLength(1)
})

test('a member denies a request: the newcomer sees so, and it disappears for every member', async () => {
  const hub = createRelayHub()
  const deps = { ...context, linkSecret: createLinkSecret(), clock: createManualClock() }
  const queue = openAdmissionQueue({ ...deps, relay: hub.relayOf('member') })
  const otherQueue = openAdmissionQueue({ ...deps, relay: hub.relayOf('another member') })
  const request = requestAdmission({ ...context, relay: hub.relayOf('newcomer'), clock: deps.clock })
  await waitForRequest(otherQueue)

  await queue.deny(await waitForRequest(queue))

  await expect.poll(() => request.current()).toBe('denied')
  expect(queue.current()).toEqual([])
  expect(otherQueue.current()).toEqual([])
})

test('a member withdraws a code: it admits no one', async () => {
  const { hub, request, admission, queue } = await startAdmission()

  await admission.cancel()

  expect(await admission.finished).toBe('cancelled')
  await expect.poll(() => request.current()).toBe('denied')
  await request.enterCode(admission.code)
  expect(hub.sent.map((body) => parseAdmissionMessage(body)?.kind)).toEqual(['knock', 'offer', 'cancel'])
  expect(queue.current()).toEqual([])
})

test('a newcomer who leaves withdraws the request, before and after a code was offered', async () => {
  const { request, admission, queue, hub, clock } = await startAdmission()
  request.stop()
  expect(await admission.finished).toBe('cancelled')

  const another = requestAdmission({ ...context, relay: hub.relayOf('another newcomer'), clock })
  await waitForRequest(queue)
  another.stop()
  await expect.poll(() => queue.current()).toEqual([])
})

test('no one but the offering member withdraws a code', async () => {
  const { hub, request } = await startAdmission()
  const requestId = parseAdmissionMessage(hub.sent[0] ?? '')?.requestId ?? ''

  await hub.relayOf('a stranger').send(formatAdmissionMessage({ kind: 'cancel', requestId, parts: [] }))

  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(request.current()).toBe('code')
})

test('a server that modifies relayed messages admits no one', async () => {
  for (const kind of ['y', 'y2', 'ok', 'grant']) {
    const hub = createRelayHub()
    const { request, admission } = await startAdmission(hub)
    hub.tamper = (body) => {
      const message = parseAdmissionMessage(body)
      if (message?.kind !== kind) return body
      const parts = message.parts.map((part) => part.map((byte, index) => (index === 0 ? byte ^ 2 : byte)))
      return formatAdmissionMessage({ ...message, parts })
    }

    await request.enterCode(admission.code)

    await expect.poll(() => request.current(), { message: kind }).toBe('wrong-code')
  }
})

test('a grant of one admission opens nothing in another', async () => {
  const hub = createRelayHub()
  const first = await startAdmission(hub, 'first')
  await first.request.enterCode(first.admission.code)
  await first.request.linkSecret
  const grant = parseAdmissionMessage(hub.sent.at(-1) ?? '')
  const second = await startAdmission(hub, 'second')
  hub.tamper = (body) => {
    const message = parseAdmissionMessage(body)
    return message?.kind === 'grant' && grant ? formatAdmissionMessage({ ...message, parts: grant.parts }) : body
  }

  await second.request.enterCode(second.admission.code)

  await expect.poll(() => second.request.current()).toBe('wrong-code')
})

test.each(['', 'knock', 'knock.short', 'shout.AAAAAAAAAAAAAAAAAAAAAA', 'y.AAAAAAAAAAAAAAAAAAAAAA.*'])(
  '%j is not an admission message',
  (body) => {
    expect(parseAdmissionMessage(body)).toBeNull()
  },
)
