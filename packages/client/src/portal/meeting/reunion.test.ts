import { importRoot, randomBytes, utf8 } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import type { PairKeys, PortalRole } from './proof.ts'
import { createReunion } from './reunion.ts'

type Again = Parameters<ReturnType<typeof createReunion>['hear']>[0]

/** Two devices at a server that passes on what they say, or something else in its place. */
async function meetAgain({
  roots = [1, 1],
  onTheWay = (message: Again): Again | null => message,
}: {
  roots?: readonly [number, number]
  onTheWay?: (message: Again) => Again | null
} = {}) {
  const agreed: Partial<Record<PortalRole, { keys: PairKeys; name: string }>> = {}
  const waiting: { to: PortalRole; message: Again }[] = []
  const said: Again[] = []
  const device = async (role: PortalRole, root: number) =>
    createReunion({
      again: await importRoot(new Uint8Array(32).fill(root)),
      role,
      origin: 'https://files.example.org',
      say(message) {
        said.push(message)
        const passed = onTheWay(message)
        if (passed) waiting.push({ to: role === 'creator' ? 'joiner' : 'creator', message: passed })
      },
      onKeys(keys, name) {
        agreed[role] = { keys, name }
      },
    })
  const devices = { creator: await device('creator', roots[0]), joiner: await device('joiner', roots[1]) }
  const refusals: unknown[] = []
  async function run() {
    await devices.creator.begin()
    await devices.joiner.begin()
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await devices[next.to].hear(next.message).catch((error: unknown) => void refusals.push(error))
    }
  }
  await run()
  return { agreed, said, refusals, devices, run }
}

test('T205 two that have met agree on new keys without a code, other ones each time', async () => {
  const { agreed, run } = await meetAgain()
  const first = agreed.creator
  expect(first?.name).toBe(agreed.joiner?.name)
  const sealed = await agreed.creator?.keys.signals.seal(utf8('hello'), 'webrtc-offer')
  expect(sealed && (await agreed.joiner?.keys.signals.open(sealed, 'webrtc-offer'))).toEqual(utf8('hello'))

  await run()

  expect(agreed.joiner?.name).toBe(agreed.creator?.name)
  expect(agreed.creator?.name).not.toBe(first?.name)
  expect(sealed && (await agreed.joiner?.keys.signals.open(sealed, 'webrtc-offer'))).toBe(null)
})

test('T205 who does not hold what both have kept gets no keys, on either side', async () => {
  for (const roots of [
    [1, 2],
    [2, 1],
  ] as const) {
    const { agreed, refusals } = await meetAgain({ roots })
    expect(agreed).toEqual({})
    expect(refusals).toHaveLength(1)
  }
})

test('T205 T206 what is changed, kept back or said again at a reunion brings nobody keys', async () => {
  const changed = await meetAgain({ onTheWay: (message) => ({ ...message, ...(message.ad && { ad: 'AAAA' }) }) })
  expect(changed.agreed).toEqual({})
  const keptBack = await meetAgain({ onTheWay: (message) => (message.y === undefined ? null : message) })
  expect(keptBack.agreed.creator).toBe(undefined)

  const { agreed, said, devices } = await meetAgain()
  const before = agreed.creator?.name
  for (const message of [...said]) await devices.creator.hear(message).catch(() => undefined)
  const foreign = { type: 'px-again', n: Buffer.from(randomBytes(16)).toString('base64url'), tag: 'AAAA' } as const
  await devices.creator.hear(foreign)
  expect(agreed.creator?.name).toBe(before)
})
