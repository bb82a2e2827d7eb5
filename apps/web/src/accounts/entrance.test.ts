import { createSubject } from '@sallyport/client/observable'
import { toBase64url } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Account, Auth, AuthState } from '#/api/auth.ts'
import { createKeyRing } from '#/keys/key-ring.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { createGate } from './entrance.ts'
import { createPolicyKeeper } from './policy-keeper.ts'
import { createUpgradeKeeper } from './upgrade-keeper.ts'

const ann: Account = { id: '11111111-1111-4111-8111-111111111111', email: 'ann@example.org' }
const noon = 1_700_000_000_000
const hour = 3_600_000

/** A page with real keys and a real policy; only the provider's client is ours. */
function openPage(initial: AuthState = { phase: 'signed-out' }, isKept = true) {
  let now = noon
  let left = 0
  const state = createSubject<AuthState>(initial)
  const auth: Auth = {
    state,
    begin: async () => ann,
    end: async () => state.set({ phase: 'signed-out' }),
    isKept: () => isKept,
    accessToken: async () => null,
    provider: () => Promise.reject(new Error('Nobody asks the provider here')),
  }
  const channel = new BroadcastChannel(`gate-${crypto.randomUUID()}`)
  onTestFinished(() => channel.close())
  const keyRing = createKeyRing({ storage: createMemoryStorage(), channel })
  const policy = createPolicyKeeper({ storage: createMemoryStorage(), now: () => now })
  const onLeave = () => {
    left += 1
  }
  let forgotten = 0
  const onSignOut = async () => {
    forgotten += 1
  }
  const upgrades = createUpgradeKeeper(createMemoryStorage())
  return {
    gate: createGate({ auth, keyRing, policy, upgrades, onLeave, onSignOut }),
    timesForgotten: () => forgotten,
    state,
    policy,
    keyRing,
    timesLeft: () => left,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    openKeys: () =>
      keyRing.open({
        userId: ann.id,
        masterKey: toBase64url(new Uint8Array(32).fill(1)),
        accountKey: toBase64url(new Uint8Array(32).fill(2)),
      }),
  }
}

async function enter(page: ReturnType<typeof openPage>): Promise<void> {
  await page.gate.whileEntering(async () => {
    page.policy.start(false)
    page.state.set({ phase: 'signed-in', account: ann })
    await page.openKeys()
  })
}

test('whoever is signed in without keys is asked for the password', async () => {
  const { gate, state } = openPage()

  state.set({ phase: 'signed-in', account: ann })

  await until(() => gate.entrance.current().phase !== 'signed-out')
  expect(gate.entrance.current()).toEqual({ phase: 'locked', account: ann })
})

test('whoever is signed in with keys is in', async () => {
  const page = openPage({ phase: 'restoring' })
  await page.openKeys()

  page.state.set({ phase: 'signed-in', account: ann })

  expect(page.gate.entrance.current()).toEqual({ phase: 'open', account: ann })
})

test('the page stays as it is until signing in, and saying so, is over (ACC-02)', async () => {
  const { gate, state, openKeys } = openPage()
  const seen: string[] = []
  gate.entrance.subscribe(() => seen.push(gate.entrance.current().phase))

  await gate.whileEntering(async () => {
    state.set({ phase: 'signed-in', account: ann })
    await openKeys()
    expect(gate.entrance.current().phase).toBe('signed-out')
  })

  expect(seen).toEqual(['open'])
})

test('signing out closes the keys, forgets the policy and drops what was loaded, without a notice (ACC-12)', async () => {
  const page = openPage()
  await enter(page)

  await page.gate.signOut()

  expect(page.gate.entrance.current()).toEqual({ phase: 'signed-out' })
  expect(page.keyRing.state.current()).toEqual({ phase: 'locked' })
  expect(page.policy.isKept()).toBe(false)
  expect(page.timesLeft()).toBe(1)
  expect(page.gate.expired.current()).toBe(false)
})

test('a sign-in whose time is over ends when the page is opened, and says so (ACC-11)', async () => {
  const page = openPage({ phase: 'restoring' })
  page.policy.start(false)
  page.pass(3 * hour)

  page.state.set({ phase: 'signed-in', account: ann })

  await until(() => page.gate.entrance.current().phase === 'signed-out')
  expect(page.gate.expired.current()).toBe(true)
})

test('a sign-in that the server has ended says so too (ACC-13)', async () => {
  const page = openPage()
  await enter(page)

  page.state.set({ phase: 'signed-out' })

  expect(page.gate.expired.current()).toBe(true)
  expect(page.gate.entrance.current()).toEqual({ phase: 'signed-out' })
})

test('a sign-in that the server ended before the page was loaded says so too (ACC-13)', () => {
  const page = openPage({ phase: 'restoring' }, false)
  page.policy.start(false)

  page.state.set({ phase: 'signed-out' })

  expect([page.gate.expired.current(), page.policy.isKept()]).toEqual([true, false])
})

test('a sign-in that nobody could be asked about while the page was loaded is not called over', () => {
  const page = openPage({ phase: 'restoring' })
  page.policy.start(false)

  page.state.set({ phase: 'signed-out' })

  expect([page.gate.expired.current(), page.policy.isKept()]).toEqual([false, true])
})

test('a sign-out in another tab, which forgets the policy first, needs no notice', async () => {
  const page = openPage()
  await enter(page)

  page.policy.forget()
  page.state.set({ phase: 'signed-out' })

  expect(page.gate.expired.current()).toBe(false)
  expect(page.keyRing.state.current()).toEqual({ phase: 'locked' })
})

test('a sign-in that is over is told of once, however many calls find it so', async () => {
  const page = openPage()
  await enter(page)

  await Promise.all([page.gate.expire(), page.gate.expire()])
  page.gate.acknowledge()
  await page.gate.expire()

  expect(page.gate.expired.current()).toBe(false)
})

test('when somebody else comes in, nothing of the one before is left', async () => {
  const page = openPage()
  await enter(page)

  page.state.set({
    phase: 'signed-in',
    account: { id: '22222222-2222-4222-8222-222222222222', email: 'bob@example.org' },
  })

  await until(() => page.gate.entrance.current().phase === 'locked')
  expect(page.timesLeft()).toBe(1)
  expect(page.keyRing.state.current()).toEqual({ phase: 'locked' })
})

test('whoever lacks the second factor is asked for it, and is in once it was given (ACC-18)', async () => {
  const page = openPage({ phase: 'restoring' })
  await page.openKeys()

  page.state.set({ phase: 'second-factor', account: ann })
  expect(page.gate.entrance.current()).toEqual({ phase: 'second-factor', account: ann })

  page.state.set({ phase: 'signed-in', account: ann })
  expect(page.gate.entrance.current()).toEqual({ phase: 'open', account: ann })
})

test('a licence that has ended keeps everything closed until it is good again, and nobody is asked anew (ACC-05)', async () => {
  const page = openPage()
  await enter(page)

  page.gate.offerUpgrade({ isPersistent: true, isTrialOver: true, message: null })
  expect(page.gate.entrance.current()).toEqual({ phase: 'upgrade-required', account: ann })

  page.gate.closeUpgrade()
  expect(page.gate.entrance.current()).toEqual({ phase: 'open', account: ann })
})

test('plans that were offered to somebody who was refused can be put away, and change nothing (ACC-04)', () => {
  const { gate } = openPage()
  const offer = { isPersistent: false, isTrialOver: true, message: 'It is over.' }

  gate.offerUpgrade(offer)
  expect([gate.upgrade.current(), gate.entrance.current().phase]).toEqual([offer, 'signed-out'])

  gate.closeUpgrade()
  expect(gate.upgrade.current()).toBeNull()
})

test('the plans go with whoever signs out (ACC-05)', async () => {
  const page = openPage()
  await enter(page)
  page.gate.offerUpgrade({ isPersistent: true, isTrialOver: false, message: null })

  await page.gate.signOut()

  expect([page.gate.upgrade.current(), page.gate.entrance.current().phase]).toEqual([null, 'signed-out'])
})

test('whoever signs out leaves nothing for a later visit, but a sign-in that runs out does', async () => {
  const page = openPage()
  await enter(page)

  await page.gate.expire()
  const afterExpiry = page.timesForgotten()
  await enter(page)
  await page.gate.signOut()

  expect(afterExpiry).toBe(0)
  expect(page.timesForgotten()).toBe(1)
})
