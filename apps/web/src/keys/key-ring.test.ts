import { toBase64url } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import type { KeptKeys } from './kept-keys.ts'
import { createKeyRing, type DeviceMemory } from './key-ring.ts'

const ann = '11111111-1111-4111-8111-111111111111'
const bob = '22222222-2222-4222-8222-222222222222'

const keysOf = (userId: string): KeptKeys => ({
  userId,
  masterKey: toBase64url(new Uint8Array(32).fill(1)),
  accountKey: toBase64url(new Uint8Array(32).fill(2)),
})

/** Tabs of one browser: each with its own session storage, all on one channel. */
function openBrowser() {
  const name = `tabs-${crypto.randomUUID()}`
  function join(): BroadcastChannel {
    const channel = new BroadcastChannel(name)
    onTestFinished(() => channel.close())
    return channel
  }
  return {
    join,
    openTab(storage = createMemoryStorage(), device?: DeviceMemory) {
      return { storage, ring: createKeyRing({ storage, channel: join(), ...(device && { device }) }) }
    },
  }
}

test('a new tab is given the keys by an open tab of the same account, and keeps them for itself (FIL-09)', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  await first.ring.open(keysOf(ann))
  const second = browser.openTab()

  const isOpen = await second.ring.recover(ann)

  expect(isOpen).toBe(true)
  expect(second.ring.state.current()).toMatchObject({ phase: 'open', userId: ann })
  expect(second.storage.getItem('accountKey')).toBe(keysOf(ann).accountKey)
})

test('a tab gives nobody the keys of another account', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  await first.ring.open(keysOf(ann))
  const second = browser.openTab()

  const isOpen = await second.ring.recover(bob)

  expect(isOpen).toBe(false)
  expect(second.ring.state.current()).toEqual({ phase: 'locked' })
})

test('keys that nobody asked for are not taken', async () => {
  const browser = openBrowser()
  const stranger = browser.join()
  const { ring } = browser.openTab()
  stranger.addEventListener('message', ({ data }) => {
    stranger.postMessage({ ...keysOf(ann), type: 'keys-given', nonce: `not ${data.nonce}` })
    stranger.postMessage({ ...keysOf(bob), type: 'keys-given', nonce: data.nonce })
  })

  const isOpen = await ring.recover(ann)

  expect(isOpen).toBe(false)
})

test('a tab that waits for the password opens as soon as another one has opened the account', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  const second = browser.openTab()
  await second.ring.recover(ann)

  await first.ring.open(keysOf(ann))

  await until(() => second.ring.state.current().phase === 'open')
  expect(second.ring.state.current()).toMatchObject({ userId: ann })
})

test('a tab that is loaded again opens with the keys it kept, though no other tab is open', async () => {
  const browser = openBrowser()
  const { ring, storage } = browser.openTab()
  await ring.open(keysOf(ann))
  const reloaded = openBrowser().openTab(storage)

  expect(await reloaded.ring.recover(ann)).toBe(true)
})

test('kept keys of somebody else are left alone', async () => {
  const { ring, storage } = openBrowser().openTab()
  await ring.open(keysOf(ann))
  const reloaded = openBrowser().openTab(storage)

  expect(await reloaded.ring.recover(bob)).toBe(false)
})

test('closing forgets every key and stops giving them away (ACC-12)', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  await first.ring.open(keysOf(ann))
  const second = browser.openTab()

  first.ring.close()

  expect(first.storage.length).toBe(0)
  expect(first.ring.state.current()).toEqual({ phase: 'locked' })
  expect(await second.ring.recover(ann)).toBe(false)
})

test('a remembered device opens where no tab answers, and is forgotten when the ring is closed (ACC-11, T037)', async () => {
  const remembered: KeptKeys[] = [keysOf(ann)]
  const device = {
    open: async (userId: string) => remembered.find((keys) => keys.userId === userId) ?? null,
    forget: async () => remembered.splice(0),
  }
  const { ring } = openBrowser().openTab(createMemoryStorage(), device)

  expect(await ring.recover(bob)).toBe(false)
  expect(await ring.recover(ann)).toBe(true)
  ring.close()

  expect(remembered).toEqual([])
  expect(await ring.recover(ann)).toBe(false)
})

test('keys that a device finds after the ring was closed are not taken', async () => {
  const found = Promise.withResolvers<KeptKeys>()
  const device = { open: () => found.promise, forget: async () => undefined }
  const { ring, storage } = openBrowser().openTab(createMemoryStorage(), device)

  const recovering = ring.recover(ann)
  ring.close()
  found.resolve(keysOf(ann))

  expect(await recovering).toBe(false)
  expect(storage.length).toBe(0)
})

test('a new master key is kept beside the account key that is open', async () => {
  const { ring, storage } = openBrowser().openTab()
  await ring.open(keysOf(ann))
  const renewed = { ...keysOf(ann), masterKey: toBase64url(new Uint8Array(32).fill(3)) }

  ring.renew(renewed)

  expect(ring.keysOf(ann)).toEqual(renewed)
  expect(ring.keysOf(bob)).toBeNull()
  expect(storage.getItem('masterKey')).toBe(renewed.masterKey)
})

test('a ring that is closed while it opens stays closed', async () => {
  const { ring, storage } = openBrowser().openTab()

  const opening = ring.open(keysOf(ann))
  ring.close()
  await opening

  expect(ring.state.current()).toEqual({ phase: 'locked' })
  expect(storage.length).toBe(0)
})

test('the account key is held as a handle that gives no bytes back', async () => {
  const { ring } = openBrowser().openTab()
  await ring.open(keysOf(ann))
  const state = ring.state.current()
  if (state.phase !== 'open') throw new Error('The ring is locked')

  await expect(crypto.subtle.exportKey('raw', state.accountKey)).rejects.toThrow()
})
