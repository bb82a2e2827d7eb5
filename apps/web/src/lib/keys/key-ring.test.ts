import { toBase64url } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { createKeyRing, type RememberedDevice } from './key-ring.ts'
import type { EncodedKeys } from './stored-keys.ts'

const ann = '11111111-1111-4111-8111-111111111111'
const bob = '22222222-2222-4222-8222-222222222222'

const keysOf = (userId: string): EncodedKeys => ({
  userId,
  masterKey: toBase64url(new Uint8Array(32).fill(1)),
  accountKey: toBase64url(new Uint8Array(32).fill(2)),
})

/** Tabs of one browser: each has its own session storage, all share one channel. */
function openBrowser() {
  const name = `tabs-${crypto.randomUUID()}`
  function openChannel(): BroadcastChannel {
    const channel = new BroadcastChannel(name)
    onTestFinished(() => channel.close())
    return channel
  }
  return {
    openChannel,
    openTab(storage = createMemoryStorage(), device?: RememberedDevice) {
      return { storage, ring: createKeyRing({ storage, channel: openChannel(), ...(device && { device }) }) }
    },
  }
}

test('a new tab receives the keys from an open tab of the same account and stores them (FIL-09)', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  await first.ring.open(keysOf(ann))
  const second = browser.openTab()

  const isOpen = await second.ring.recover(ann)

  expect(isOpen).toBe(true)
  expect(second.ring.state.current()).toMatchObject({ phase: 'open', userId: ann })
  expect(second.storage.getItem('accountKey')).toBe(keysOf(ann).accountKey)
})

test('a tab does not send the keys of another account', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  await first.ring.open(keysOf(ann))
  const second = browser.openTab()

  const isOpen = await second.ring.recover(bob)

  expect(isOpen).toBe(false)
  expect(second.ring.state.current()).toEqual({ phase: 'locked' })
})

test('unrequested keys are ignored', async () => {
  const browser = openBrowser()
  const stranger = browser.openChannel()
  const { ring } = browser.openTab()
  stranger.addEventListener('message', ({ data }) => {
    stranger.postMessage({ ...keysOf(ann), type: 'keys-given', nonce: `not ${data.nonce}` })
    stranger.postMessage({ ...keysOf(bob), type: 'keys-given', nonce: data.nonce })
  })

  const isOpen = await ring.recover(ann)

  expect(isOpen).toBe(false)
})

test('a locked tab unlocks as soon as another tab has unlocked the account', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  const second = browser.openTab()
  await second.ring.recover(ann)

  await first.ring.open(keysOf(ann))

  await until(() => second.ring.state.current().phase === 'open')
  expect(second.ring.state.current()).toMatchObject({ userId: ann })
})

test('a reloaded tab unlocks with its stored keys, even if no other tab is open', async () => {
  const browser = openBrowser()
  const { ring, storage } = browser.openTab()
  await ring.open(keysOf(ann))
  const reloaded = openBrowser().openTab(storage)

  expect(await reloaded.ring.recover(ann)).toBe(true)
})

test('stored keys of another account are not used', async () => {
  const { ring, storage } = openBrowser().openTab()
  await ring.open(keysOf(ann))
  const reloaded = openBrowser().openTab(storage)

  expect(await reloaded.ring.recover(bob)).toBe(false)
})

test('closing deletes every key and stops sending them to other tabs (ACC-12)', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  await first.ring.open(keysOf(ann))
  const second = browser.openTab()

  first.ring.close()

  expect(first.storage.length).toBe(0)
  expect(first.ring.state.current()).toEqual({ phase: 'locked' })
  expect(await second.ring.recover(ann)).toBe(false)
})

test('a remembered device unlocks when no tab responds, and is deleted when the key ring is closed (ACC-11, T037)', async () => {
  const deviceKeys: EncodedKeys[] = [keysOf(ann)]
  const device = {
    open: async (userId: string) => deviceKeys.find((keys) => keys.userId === userId) ?? null,
    forget: async () => deviceKeys.splice(0),
  }
  const { ring } = openBrowser().openTab(createMemoryStorage(), device)

  expect(await ring.recover(bob)).toBe(false)
  expect(await ring.recover(ann)).toBe(true)
  ring.close()

  expect(deviceKeys).toEqual([])
  expect(await ring.recover(ann)).toBe(false)
})

test('keys that a remembered device returns after the key ring was closed are ignored', async () => {
  const found = Promise.withResolvers<EncodedKeys>()
  const device = { open: () => found.promise, forget: async () => undefined }
  const { ring, storage } = openBrowser().openTab(createMemoryStorage(), device)

  const recovering = ring.recover(ann)
  ring.close()
  found.resolve(keysOf(ann))

  expect(await recovering).toBe(false)
  expect(storage.length).toBe(0)
})

test('a device that waits for the server is asked no longer once another tab has unlocked the account', async () => {
  const browser = openBrowser()
  const first = browser.openTab()
  const delays: string[] = []
  let isAborted = false
  const device: RememberedDevice = {
    open: (_, { signal, onDelayed }) => {
      onDelayed()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(signal.reason)
        })
      })
    },
    forget: async () => undefined,
  }
  const second = browser.openTab(createMemoryStorage(), device)

  const recovering = second.ring.recover(ann, () => delays.push('delayed'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  await first.ring.open(keysOf(ann))

  expect(await recovering).toBe(true)
  expect([second.ring.state.current().phase, isAborted, delays]).toEqual(['open', true, ['delayed']])
})

test('a new master key is stored next to the current account key', async () => {
  const { ring, storage } = openBrowser().openTab()
  await ring.open(keysOf(ann))
  const renewed = { ...keysOf(ann), masterKey: toBase64url(new Uint8Array(32).fill(3)) }

  ring.replace(renewed)

  expect(ring.keysOf(ann)).toEqual(renewed)
  expect(ring.keysOf(bob)).toBeNull()
  expect(storage.getItem('masterKey')).toBe(renewed.masterKey)
})

test('a key ring that is closed while opening stays closed', async () => {
  const { ring, storage } = openBrowser().openTab()

  const opening = ring.open(keysOf(ann))
  ring.close()
  await opening

  expect(ring.state.current()).toEqual({ phase: 'locked' })
  expect(storage.length).toBe(0)
})

test('the account key is not extractable', async () => {
  const { ring } = openBrowser().openTab()
  await ring.open(keysOf(ann))
  const state = ring.state.current()
  if (state.phase !== 'open') throw new Error('The key ring is locked')

  await expect(crypto.subtle.exportKey('raw', state.accountKey)).rejects.toThrow()
})
