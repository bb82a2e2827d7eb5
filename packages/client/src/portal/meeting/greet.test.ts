import { createPortalKey, fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { settle } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import type { Certificates, Link } from '../channel.ts'
import { type FastMessage, readFastMessage } from '../fast/fast-messages.ts'
import { portalTexts } from '../texts.ts'
import { greet } from './greet.ts'
import { type PairKeys, type PortalRole, pairKeysOf, startProof } from './proof.ts'

const signal = new AbortController().signal
const honest: Certificates = { own: 'sha-256 aa', other: 'sha-256 bb' }
const turned = ({ own, other }: Certificates): Certificates => ({ own: other, other: own })

function aLine(creatorSees = honest, joinerSees = turned(honest)) {
  const clock = createManualClock()
  const [left, right] = createLinkPair({ clock, random: seeded(1) })
  const creator: Link = { ...left, certificates: creatorSees }
  const joiner: Link = { ...right, certificates: joinerSees }
  const greeting = (link: Link, role: PortalRole, keys: PairKeys | null) => {
    const outcome = greet({ link, role, keys, clock, signal })
    outcome.catch(() => undefined)
    return outcome
  }
  return { clock, creator, joiner, greeting }
}

/** The keys of two devices that have proved the same code to each other. */
async function pairedKeys(): Promise<readonly [creator: PairKeys, joiner: PairKeys]> {
  const meeting = { mode: 'pin', pin: '482913', secret: new Uint8Array(0), n: toBase64url(randomBytes(16)) } as const
  const place = { origin: 'https://files.example', prefix: '48', deviceName: 'Mac' }
  const [creator, joiner] = await Promise.all(
    (['creator', 'joiner'] as const).map((role) => startProof({ ...meeting, ...place, role })),
  )
  if (!creator || !joiner) throw new Error('no proof')
  const [here, there] = await Promise.all([creator.finish(joiner.message), joiner.finish(creator.message)])
  return Promise.all([pairKeysOf(here, 'creator'), pairKeysOf(there, 'joiner')])
}

test('T205 two that proved the code greet each other where both see the same certificates, and nowhere else', async () => {
  const [creatorKeys, joinerKeys] = await pairedKeys()
  const same = aLine()
  const both = [
    same.greeting(same.creator, 'creator', creatorKeys),
    same.greeting(same.joiner, 'joiner', joinerKeys),
  ] as const
  const [here, there] = await settle(same.clock, Promise.all(both))
  expect(here.pictures).toEqual(there.pictures)
  expect(here.pictures).toHaveLength(4)

  const swapped = { own: 'sha-256 aa', other: 'sha-256 of somebody in between' }
  const other = aLine(swapped)
  const refused = [
    other.greeting(other.creator, 'creator', creatorKeys),
    other.greeting(other.joiner, 'joiner', joinerKeys),
  ]
  for (const one of refused) await expect(settle(other.clock, one)).rejects.toThrow(portalTexts.tampered)
})

test('T205 a greeting that is sent back to its sender, cut short or left out is refused', async () => {
  const [creatorKeys] = await pairedKeys()
  const answers: ((hello: FastMessage & { bind?: string }) => object)[] = [
    (hello) => hello,
    (hello) => ({ ...hello, bind: hello.bind?.slice(0, 20) }),
    ({ bind: _, ...hello }) => hello,
    (hello) => ({ ...hello, bind: '!' }),
  ]
  for (const answer of answers) {
    const { clock, creator, joiner, greeting } = aLine()
    joiner.control.listen((data) => joiner.control.send(JSON.stringify(answer(JSON.parse(String(data))))))
    await expect(settle(clock, greeting(creator, 'creator', creatorKeys))).rejects.toThrow(portalTexts.tampered)
  }
})

test('T205 two that proved nothing see the same four pictures, and other ones where certificates were swapped', async () => {
  const pictures = async (line: ReturnType<typeof aLine>) => {
    const both = [line.greeting(line.creator, 'creator', null), line.greeting(line.joiner, 'joiner', null)] as const
    const outcome = await settle(line.clock, Promise.all(both))
    return outcome.map((one) => one.pictures.join(''))
  }
  const [here, there] = await pictures(aLine())
  expect(here).toBe(there)

  const [creator, joiner] = await pictures(aLine({ ...honest, other: 'sha-256 of somebody in between' }))
  expect(creator).not.toBe(joiner)
})

test('file keys between two that proved nothing are wrapped for the other one alone', async () => {
  const { clock, creator, joiner, greeting } = aLine()
  const both = [greeting(creator, 'creator', null), greeting(joiner, 'joiner', null)] as const
  const [here, there] = await settle(clock, Promise.all(both))
  const key = createPortalKey()

  const wrapped = await here.fileKeys.wrap(key)

  expect(await there.fileKeys.unwrap(wrapped)).toEqual(key)
  expect(Buffer.from(fromBase64url(wrapped)).includes(Buffer.from(key))).toBe(false)
})

test.each<[string, (message: FastMessage & { type: 'px-sas' }) => object]>([
  ['another nonce', (message) => ({ ...message, nonce: toBase64url(randomBytes(16)) })],
  ['another key', (message) => ({ ...message, key: toBase64url(randomBytes(65)) })],
  ['no nonce', ({ nonce: _, ...message }) => message],
])('T205 who stands in between and tells %s than it committed to is found out', async (_, change) => {
  const { clock, creator, joiner, greeting } = aLine()
  const between = aLine()
  const first = greeting(creator, 'creator', null)
  const second = greeting(between.joiner, 'joiner', null)
  let told = 0
  joiner.control.listen((data) => {
    const message = readFastMessage(String(data))
    if (message?.type === 'px-sas') told += 1
    const passed = message?.type === 'px-sas' && told === 2 ? change(message) : message
    between.creator.control.send(JSON.stringify(passed))
  })
  between.creator.control.listen((data) => joiner.control.send(data))
  const outcome = second.catch((error: unknown) => error)
  await settle(clock, settle(between.clock, Promise.allSettled([first, second])))

  expect(await outcome).toMatchObject({ message: portalTexts.tampered })
  expect(told).toBe(2)
})

test('POR-07 a device of ours that says nothing is given up after ten seconds, by the words of the specification', async () => {
  const { clock, creator, greeting } = aLine()
  const started = clock.now()

  await expect(settle(clock, greeting(creator, 'creator', null))).rejects.toThrow(
    'Connection timeout. Please try reconnecting both devices.',
  )

  expect(clock.now() - started).toBeGreaterThanOrEqual(10_000)
})

test('what is said right behind a greeting is heard by whoever listens afterwards', async () => {
  const { clock, creator, joiner, greeting } = aLine()
  const [first, second] = [greeting(creator, 'creator', null), greeting(joiner, 'joiner', null)]
  await settle(clock, first)
  creator.control.send('an offer')
  const { link } = await settle(clock, second)
  await settle(clock, clock.wait(100))

  const heard: unknown[] = []
  link.control.listen((data) => heard.push(data))

  expect(heard).toEqual(['an offer'])
})
