import { createSubject } from '@sallyport/client/observable'
import { toBase64url } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Account, Auth, AuthSessionState } from '#/lib/api/auth.ts'
import { createKeyRing, type RememberedDevice } from '#/lib/keys/key-ring.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { createUpgradeOfferStore } from '../sign-up/upgrade-offer-store.ts'
import { createAuthController } from './auth-controller.ts'
import { createSessionLifetimeStore } from './session-lifetime-store.ts'

const ann: Account = { id: '11111111-1111-4111-8111-111111111111', email: 'ann@example.org' }
const noon = 1_700_000_000_000
const hour = 3_600_000

/** A page with a real key ring and session lifetime; only the auth provider's client is a fake. */
function openPage(initial: AuthSessionState = { phase: 'signed-out' }, isStored = true, device?: RememberedDevice) {
  let now = noon
  let timesClosed = 0
  const state = createSubject<AuthSessionState>(initial)
  let endAnswer: Promise<void> | undefined
  const auth: Auth = {
    state,
    begin: async () => ann,
    end: async () => {
      await endAnswer
      state.set({ phase: 'signed-out' })
    },
    isStored: () => isStored,
    accessToken: async () => null,
    provider: () => Promise.reject(new Error('The provider is not used in this test')),
  }
  const channel = new BroadcastChannel(`controller-${crypto.randomUUID()}`)
  onTestFinished(() => channel.close())
  const keyRing = createKeyRing({ storage: createMemoryStorage(), channel, ...(device && { device }) })
  const sessionLifetime = createSessionLifetimeStore({ storage: createMemoryStorage(), now: () => now })
  const onAccountClosed = () => {
    timesClosed += 1
  }
  let timesForgotten = 0
  const onSignOut = async () => {
    timesForgotten += 1
  }
  const upgradeOffers = createUpgradeOfferStore(createMemoryStorage())
  return {
    controller: createAuthController({ auth, keyRing, sessionLifetime, upgradeOffers, onAccountClosed, onSignOut }),
    answerEndWith: (answer: Promise<void>) => {
      endAnswer = answer
    },
    signOutCalls: () => timesForgotten,
    state,
    sessionLifetime,
    keyRing,
    accountClosedCalls: () => timesClosed,
    advance: (milliseconds: number) => {
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

async function signInOn(page: ReturnType<typeof openPage>): Promise<void> {
  await page.controller.whileSigningIn(async () => {
    page.sessionLifetime.start(false)
    page.state.set({ phase: 'signed-in', account: ann })
    await page.openKeys()
  })
}

test('a signed-in user without keys is asked for the password', async () => {
  const { controller, state } = openPage()

  state.set({ phase: 'signed-in', account: ann })

  await until(() => controller.accessState.current().phase !== 'signed-out')
  expect(controller.accessState.current()).toEqual({ phase: 'locked', account: ann })
})

test('a page whose remembered device waits for the server shows the delay instead of asking for the password', async () => {
  const answer = Promise.withResolvers<null>()
  const device: RememberedDevice = {
    open(_, { onDelayed }) {
      onDelayed()
      return answer.promise
    },
    forget: async () => undefined,
  }
  const { controller, state } = openPage({ phase: 'restoring' }, true, device)

  state.set({ phase: 'signed-in', account: ann })
  await new Promise((resolve) => setTimeout(resolve, 600))
  const whileWaiting = controller.accessState.current()
  answer.resolve(null)

  await until(() => controller.accessState.current().phase === 'locked')
  expect(whileWaiting).toEqual({ phase: 'restoring', isDelayed: true })
})

test('a signed-in user with keys has access', async () => {
  const page = openPage({ phase: 'restoring' })
  await page.openKeys()

  page.state.set({ phase: 'signed-in', account: ann })

  expect(page.controller.accessState.current()).toEqual({ phase: 'open', account: ann })
})

test('the access state does not change until signing in has completed and the success message was shown (ACC-02)', async () => {
  const { controller, state, openKeys } = openPage()
  const seen: string[] = []
  controller.accessState.subscribe(() => seen.push(controller.accessState.current().phase))

  await controller.whileSigningIn(async () => {
    state.set({ phase: 'signed-in', account: ann })
    await openKeys()
    expect(controller.accessState.current().phase).toBe('signed-out')
  })

  expect(seen).toEqual(['open'])
})

test('signing out closes the key ring, clears the session lifetime and the loaded data, and shows no notice (ACC-12)', async () => {
  const page = openPage()
  await signInOn(page)

  await page.controller.signOut()

  expect(page.controller.accessState.current()).toEqual({ phase: 'signed-out' })
  expect(page.keyRing.state.current()).toEqual({ phase: 'locked' })
  expect(page.sessionLifetime.isStored()).toBe(false)
  expect(page.accountClosedCalls()).toBe(1)
  expect(page.controller.expired.current()).toBe(false)
})

test('an expired auth session ends when the page is opened, with a notice (ACC-11)', async () => {
  const page = openPage({ phase: 'restoring' })
  page.sessionLifetime.start(false)
  page.advance(3 * hour)

  page.state.set({ phase: 'signed-in', account: ann })

  await until(() => page.controller.accessState.current().phase === 'signed-out')
  expect(page.controller.expired.current()).toBe(true)
})

test('an auth session that the server ends shows the notice too (ACC-13)', async () => {
  const page = openPage()
  await signInOn(page)

  page.state.set({ phase: 'signed-out' })

  await expect.poll(page.controller.expired.current).toBe(true)
  expect(page.controller.accessState.current()).toEqual({ phase: 'signed-out' })
})

test('an auth session that the server ended before the page was loaded shows the notice too (ACC-13)', async () => {
  const page = openPage({ phase: 'restoring' }, false)
  page.sessionLifetime.start(false)

  page.state.set({ phase: 'signed-out' })

  await expect.poll(page.controller.expired.current).toBe(true)
  expect(page.sessionLifetime.isStored()).toBe(false)
})

test('an auth session that could not be checked while loading does not count as expired', () => {
  const page = openPage({ phase: 'restoring' })
  page.sessionLifetime.start(false)

  page.state.set({ phase: 'signed-out' })

  expect([page.controller.expired.current(), page.sessionLifetime.isStored()]).toEqual([false, true])
})

test('a sign-out in another tab, which clears the session lifetime first, shows no notice', async () => {
  const page = openPage()
  await signInOn(page)

  page.sessionLifetime.clear()
  page.state.set({ phase: 'signed-out' })

  expect(page.controller.expired.current()).toBe(false)
  expect(page.keyRing.state.current()).toEqual({ phase: 'locked' })
})

test('a sign-out in another tab shows no notice, even when the server reports it before the cleared storage arrives', async () => {
  const page = openPage()
  const otherTab = openPage()
  await signInOn(page)
  const serverAnswer = Promise.withResolvers<void>()
  otherTab.answerEndWith(serverAnswer.promise)

  const signOut = otherTab.controller.signOut()
  await page.controller.expire()
  serverAnswer.resolve()
  await signOut

  expect(page.controller.accessState.current()).toEqual({ phase: 'signed-out' })
  expect(page.controller.expired.current()).toBe(false)
})

test('an expired auth session shows the notice once, however many calls detect it', async () => {
  const page = openPage()
  await signInOn(page)

  await Promise.all([page.controller.expire(), page.controller.expire()])
  page.controller.acknowledgeExpiry()
  await page.controller.expire()

  expect(page.controller.expired.current()).toBe(false)
})

test('when another user signs in, the data of the previous one is cleared', async () => {
  const page = openPage()
  await signInOn(page)

  page.state.set({
    phase: 'signed-in',
    account: { id: '22222222-2222-4222-8222-222222222222', email: 'bob@example.org' },
  })

  await until(() => page.controller.accessState.current().phase === 'locked')
  expect(page.accountClosedCalls()).toBe(1)
  expect(page.keyRing.state.current()).toEqual({ phase: 'locked' })
})

test('a user without the second factor is asked for it and gets access once it is verified (ACC-18)', async () => {
  const page = openPage({ phase: 'restoring' })
  await page.openKeys()

  page.state.set({ phase: 'second-factor', account: ann })
  expect(page.controller.accessState.current()).toEqual({ phase: 'second-factor', account: ann })

  page.state.set({ phase: 'signed-in', account: ann })
  expect(page.controller.accessState.current()).toEqual({ phase: 'open', account: ann })
})

test('an expired licence blocks access until it is renewed, without asking for the password again (ACC-05)', async () => {
  const page = openPage()
  await signInOn(page)

  page.controller.offerUpgrade({ isPersistent: true, isTrialOver: true, message: null })
  expect(page.controller.accessState.current()).toEqual({ phase: 'upgrade-required', account: ann })

  page.controller.closeUpgrade()
  expect(page.controller.accessState.current()).toEqual({ phase: 'open', account: ann })
})

test('an upgrade offer after a rejected sign-in can be closed and does not change the access state (ACC-04)', () => {
  const { controller } = openPage()
  const offer = { isPersistent: false, isTrialOver: true, message: 'It is over.' }

  controller.offerUpgrade(offer)
  expect([controller.upgradeOffer.current(), controller.accessState.current().phase]).toEqual([offer, 'signed-out'])

  controller.closeUpgrade()
  expect(controller.upgradeOffer.current()).toBeNull()
})

test('signing out closes the upgrade offer (ACC-05)', async () => {
  const page = openPage()
  await signInOn(page)
  page.controller.offerUpgrade({ isPersistent: true, isTrialOver: false, message: null })

  await page.controller.signOut()

  expect([page.controller.upgradeOffer.current(), page.controller.accessState.current().phase]).toEqual([
    null,
    'signed-out',
  ])
})

test('signing out deletes what is stored for later visits, but an expired auth session does not', async () => {
  const page = openPage()
  await signInOn(page)

  await page.controller.expire()
  const afterExpiry = page.signOutCalls()
  await signInOn(page)
  await page.controller.signOut()

  expect(afterExpiry).toBe(0)
  expect(page.signOutCalls()).toBe(1)
})
