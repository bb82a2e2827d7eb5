import { createLinkSecret } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { type AdmissionRelay, readPiece, writePiece } from './admission-pieces.ts'
import { askForAdmission } from './ask-admission.ts'
import { openAdmissionDesk } from './give-admission.ts'

const place = { origin: 'https://sallyport.test', sessionId: 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10' }

/** What the server does: hands every piece to everybody, in one order. */
function createHall() {
  const said: string[] = []
  const listeners = new Set<(from: string, body: string) => void>()
  const hall = {
    said,
    tamper: (body: string): string => body,
    relayOf: (who: string): AdmissionRelay => ({
      async send(body) {
        const carried = hall.tamper(body)
        said.push(carried)
        queueMicrotask(() => {
          for (const listener of [...listeners]) listener(who, carried)
        })
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }),
  }
  return hall
}

async function meet(hall = createHall(), newcomer = 'newcomer') {
  const linkSecret = createLinkSecret()
  const clock = createManualClock()
  const desk = openAdmissionDesk({ ...place, relay: hall.relayOf('member'), linkSecret, clock })
  const asking = askForAdmission({ ...place, relay: hall.relayOf(newcomer) })
  const admitting = await desk.admit(await whoKnocks(desk))
  await expect.poll(() => asking.current()).toBe('code')
  return { hall, desk, asking, admitting, linkSecret, clock }
}

async function whoKnocks(desk: ReturnType<typeof openAdmissionDesk>) {
  await expect.poll(() => desk.current()).not.toEqual([])
  const [knocking] = desk.current()
  if (!knocking) throw new Error('Nobody knocks')
  return knocking
}

const another = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a newcomer who enters the code gets the secret of the session, and the server sees neither', async () => {
  const { hall, desk, asking, admitting, linkSecret } = await meet()

  await asking.enterCode(admitting.code)

  expect(await asking.linkSecret).toEqual(linkSecret)
  expect(await admitting.finished).toBe('admitted')
  expect(asking.current()).toBe('admitted')
  expect(desk.current()).toEqual([])
  expect(admitting.code).toMatch(/^\d{6}$/)
  expect(hall.said.map((body) => readPiece(body)?.kind)).toEqual(['knock', 'offer', 'y', 'y2', 'ok', 'grant'])
  expect(hall.said.join()).not.toContain(linkSecret.toBase64({ alphabet: 'base64url', omitPadding: true }))
  expect(hall.said.join()).not.toContain(`.${admitting.code}`)
})

test('a wrong code opens nothing and is used up; after three the newcomer is not heard any more', async () => {
  const { desk, asking, admitting, clock } = await meet()
  let current = admitting

  for (let tries = 0; tries < 3; tries += 1) {
    await asking.enterCode(another(current.code))
    await expect.poll(() => asking.current()).toBe('wrong-code')
    expect(await current.finished).toBe('wrong-code')
    await asking.again()
    if (tries === 2) break
    current = await desk.admit(await whoKnocks(desk))
    await expect.poll(() => asking.current()).toBe('code')
  }

  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(desk.current(), 'three dead codes').toEqual([])
  await clock.advance(15 * 60_000)
  await asking.again()
  await expect.poll(() => desk.current()).toHaveLength(1)
})

test('a code that nobody enters in two minutes is good for nothing', async () => {
  const { asking, admitting, clock } = await meet()

  await clock.advance(2 * 60_000)

  expect(await admitting.finished).toBe('timeout')
  await asking.enterCode(admitting.code)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asking.current()).toBe('verifying')
})

test('a server that changes what it carries lets nobody in, and learns nothing by it', async () => {
  for (const kind of ['y', 'y2', 'ok', 'grant']) {
    const hall = createHall()
    const { asking, admitting } = await meet(hall)
    hall.tamper = (body) => {
      const piece = readPiece(body)
      if (piece?.kind !== kind) return body
      const parts = piece.parts.map((part) => part.map((byte, place) => (place === 0 ? byte ^ 2 : byte)))
      return writePiece({ ...piece, parts })
    }

    await asking.enterCode(admitting.code)

    await expect.poll(() => asking.current(), { message: kind }).toBe('wrong-code')
  }
})

test('a grant of one admission opens nothing in another', async () => {
  const hall = createHall()
  const first = await meet(hall, 'first')
  await first.asking.enterCode(first.admitting.code)
  await first.asking.linkSecret
  const grant = readPiece(hall.said.at(-1) ?? '')
  const second = await meet(hall, 'second')
  hall.tamper = (body) => {
    const piece = readPiece(body)
    return piece?.kind === 'grant' && grant ? writePiece({ ...piece, parts: grant.parts }) : body
  }

  await second.asking.enterCode(second.admitting.code)

  await expect.poll(() => second.asking.current()).toBe('wrong-code')
})

test.each(['', 'knock', 'knock.short', 'shout.AAAAAAAAAAAAAAAAAAAAAA', 'y.AAAAAAAAAAAAAAAAAAAAAA.*'])(
  '%j is no piece of an admission',
  (body) => {
    expect(readPiece(body)).toBeNull()
  },
)
