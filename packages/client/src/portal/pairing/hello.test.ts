import { createPortalKey, fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { runUntilSettled } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import type { Certificates, Link } from '../channel.ts'
import { type FastMessage, parseFastMessage } from '../transfer/fast-messages.ts'
import { sendHello } from './hello.ts'
import { derivePairKeys, type PairKeys, type PortalRole, startPake } from './pake.ts'

const signal = new AbortController().signal
const honest: Certificates = { own: 'sha-256 aa', other: 'sha-256 bb' }
const reversed = ({ own, other }: Certificates): Certificates => ({ own: other, other: own })

function createConnectedPair(creatorSees = honest, joinerSees = reversed(honest)) {
  const clock = createManualClock()
  const [left, right] = createLinkPair({ clock, random: seeded(1) })
  const creator: Link = { ...left, certificates: creatorSees }
  const joiner: Link = { ...right, certificates: joinerSees }
  const runHello = (link: Link, role: PortalRole, keys: PairKeys | null) => {
    const result = sendHello({ link, role, keys, clock, signal })
    result.catch(() => undefined)
    return result
  }
  return { clock, creator, joiner, runHello }
}

/** The keys of two devices that proved the same code to each other. */
async function pairedKeys(): Promise<readonly [creator: PairKeys, joiner: PairKeys]> {
  const pairing = { mode: 'pin', pin: '482913', secret: new Uint8Array(0), n: toBase64url(randomBytes(16)) } as const
  const context = { origin: 'https://files.example', prefix: '48', deviceName: 'Mac' }
  const [creator, joiner] = await Promise.all(
    (['creator', 'joiner'] as const).map((role) => startPake({ ...pairing, ...context, role })),
  )
  if (!creator || !joiner) throw new Error('No PAKE')
  const [here, there] = await Promise.all([creator.finish(joiner.message), joiner.finish(creator.message)])
  return Promise.all([derivePairKeys(here, 'creator'), derivePairKeys(there, 'joiner')])
}

test('T205 the hello of verified devices succeeds only if both see the same certificates', async () => {
  const [creatorKeys, joinerKeys] = await pairedKeys()
  const matching = createConnectedPair()
  const both = [
    matching.runHello(matching.creator, 'creator', creatorKeys),
    matching.runHello(matching.joiner, 'joiner', joinerKeys),
  ] as const
  const [here, there] = await runUntilSettled(matching.clock, Promise.all(both))
  expect(here.sasEmoji).toEqual(there.sasEmoji)
  expect(here.sasEmoji).toHaveLength(4)

  const intercepted = { own: 'sha-256 aa', other: 'sha-256 of an interceptor' }
  const tampered = createConnectedPair(intercepted)
  const rejected = [
    tampered.runHello(tampered.creator, 'creator', creatorKeys),
    tampered.runHello(tampered.joiner, 'joiner', joinerKeys),
  ]
  for (const one of rejected) await expect(runUntilSettled(tampered.clock, one)).rejects.toThrow('TAMPERED')
})

test('T205 a hello whose binding is reflected, truncated, missing or malformed is rejected', async () => {
  const [creatorKeys] = await pairedKeys()
  const answers: ((hello: FastMessage & { bind?: string }) => object)[] = [
    (hello) => hello,
    (hello) => ({ ...hello, bind: hello.bind?.slice(0, 20) }),
    ({ bind: _, ...hello }) => hello,
    (hello) => ({ ...hello, bind: '!' }),
  ]
  for (const answer of answers) {
    const { clock, creator, joiner, runHello } = createConnectedPair()
    joiner.control.onMessage((data) => joiner.control.send(JSON.stringify(answer(JSON.parse(String(data))))))
    await expect(runUntilSettled(clock, runHello(creator, 'creator', creatorKeys))).rejects.toThrow('TAMPERED')
  }
})

test('T205 unverified devices see the same SAS emoji, and different ones if the certificates were swapped', async () => {
  const sasEmoji = async (line: ReturnType<typeof createConnectedPair>) => {
    const both = [line.runHello(line.creator, 'creator', null), line.runHello(line.joiner, 'joiner', null)] as const
    const outcome = await runUntilSettled(line.clock, Promise.all(both))
    return outcome.map((one) => one.sasEmoji.join(''))
  }
  const [here, there] = await sasEmoji(createConnectedPair())
  expect(here).toBe(there)

  const [creator, joiner] = await sasEmoji(createConnectedPair({ ...honest, other: 'sha-256 of an interceptor' }))
  expect(creator).not.toBe(joiner)
})

test('file keys between unverified devices are wrapped for the other device', async () => {
  const { clock, creator, joiner, runHello } = createConnectedPair()
  const both = [runHello(creator, 'creator', null), runHello(joiner, 'joiner', null)] as const
  const [here, there] = await runUntilSettled(clock, Promise.all(both))
  const key = createPortalKey()

  const wrapped = await here.fileKeys.wrap(key)

  expect(await there.fileKeys.unwrap(wrapped)).toEqual(key)
  expect(Buffer.from(fromBase64url(wrapped)).includes(Buffer.from(key))).toBe(false)
})

test.each<[string, (message: FastMessage & { type: 'px-sas' }) => object]>([
  ['another nonce', (message) => ({ ...message, nonce: toBase64url(randomBytes(16)) })],
  ['another key', (message) => ({ ...message, key: toBase64url(randomBytes(65)) })],
  ['no nonce', ({ nonce: _, ...message }) => message],
])('T205 an interceptor that sends %s than it committed to is detected', async (_, change) => {
  const { clock, creator, joiner, runHello } = createConnectedPair()
  const interceptor = createConnectedPair()
  const first = runHello(creator, 'creator', null)
  const second = runHello(interceptor.joiner, 'joiner', null)
  let sasMessages = 0
  joiner.control.onMessage((data) => {
    const message = parseFastMessage(String(data))
    if (message?.type === 'px-sas') sasMessages += 1
    const forwarded = message?.type === 'px-sas' && sasMessages === 2 ? change(message) : message
    interceptor.creator.control.send(JSON.stringify(forwarded))
  })
  interceptor.creator.control.onMessage((data) => joiner.control.send(data))
  const outcome = second.catch((error: unknown) => error)
  await runUntilSettled(clock, runUntilSettled(interceptor.clock, Promise.allSettled([first, second])))

  expect(await outcome).toMatchObject({ code: 'TAMPERED' })
  expect(sasMessages).toBe(2)
})

test('POR-07 a Sallyport device that sends no hello times out after 10 s with the error of a timeout', async () => {
  const { clock, creator, runHello } = createConnectedPair()
  const started = clock.now()

  await expect(runUntilSettled(clock, runHello(creator, 'creator', null))).rejects.toThrow('CONNECTION_TIMEOUT')

  expect(clock.now() - started).toBeGreaterThanOrEqual(10_000)
})

test('messages that arrive right after the hello are delivered to the next handler', async () => {
  const { clock, creator, joiner, runHello } = createConnectedPair()
  const [first, second] = [runHello(creator, 'creator', null), runHello(joiner, 'joiner', null)]
  await runUntilSettled(clock, first)
  creator.control.send('an offer')
  const { link } = await runUntilSettled(clock, second)
  await runUntilSettled(clock, clock.wait(100))

  const messages: unknown[] = []
  link.control.onMessage((data) => messages.push(data))

  expect(messages).toEqual(['an offer'])
})
