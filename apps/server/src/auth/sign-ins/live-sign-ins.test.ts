import { expect, test } from 'vitest'
import { createLocalBus } from '../../bus/bus.ts'
import { revokedTopic } from '../../live/announce.ts'
import { createLiveSignIns } from './live-sign-ins.ts'
import type { SignInsStore } from './sign-ins.store.ts'

const signIn = { userId: 'ann', signInId: 'here' }
const row = { userId: 'ann', email: 'ann@example.org', notAfter: 10_000, bannedUntil: null }
const settled = () => new Promise((resolve) => setTimeout(resolve))

function start(find: () => Promise<typeof row | null>) {
  const bus = createLocalBus()
  const live = createLiveSignIns({ signIns: { find } as unknown as SignInsStore, bus, now: () => 0 })
  return { bus, live }
}

test('a revocation that arrives while the row is read is not forgotten', async () => {
  let answer: (found: typeof row) => void = () => undefined
  const answers = [new Promise<typeof row>((resolve) => (answer = resolve)), Promise.resolve(null)]
  const { bus, live } = start(() => answers.shift() ?? Promise.resolve(null))
  const asked = live.find(signIn)
  bus.publish(revokedTopic, { userId: 'ann' })
  await settled()
  answer(row)
  await asked

  const next = await live.find(signIn)

  expect(next).toBeNull()
})

test('a sign-in is looked up once, for its own user only', async () => {
  let lookUps = 0
  const { live } = start(async () => {
    lookUps += 1
    return row
  })

  const found = [await live.find(signIn), await live.find(signIn), await live.find({ ...signIn, userId: 'bob' })]

  expect(found).toEqual([{ ...signIn, email: 'ann@example.org' }, { ...signIn, email: 'ann@example.org' }, null])
  expect(lookUps).toBe(1)
})

test('a database that is away is not taken for a sign-in that is over', async () => {
  const { live } = start(async () => {
    throw new Error('away')
  })

  await expect(live.find(signIn)).rejects.toThrow('away')
})
