import { toBase64url } from '@sallyport/crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { StoredDevice } from './device-store.ts'
import { rememberDevice } from './remembered-device.ts'

// An in-memory replacement of IndexedDB.
const devices = vi.hoisted(() => new Map<string, StoredDevice>())
vi.mock('./device-store.ts', () => ({
  readStoredDevice: async (userId: string) => devices.get(userId),
  writeStoredDevice: async (device: StoredDevice) => void devices.set(device.userId, device),
}))
vi.stubGlobal('navigator', { locks: { request: (_: string, work: () => Promise<unknown>) => work() } })

const userId = '11111111-1111-4111-8111-111111111111'
const keys = {
  userId,
  masterKey: toBase64url(new Uint8Array(32).fill(1)),
  accountKey: toBase64url(new Uint8Array(32).fill(2)),
}
const answer = { deviceId: '22222222-2222-4222-8222-222222222222', share: toBase64url(new Uint8Array(32).fill(3)) }

beforeEach(() => devices.clear())

test('rememberDevice stores the sealed keys', async () => {
  const sessionLifetime = { isRemembered: () => true }
  await rememberDevice({ call: async () => answer as never, keyRing: { keysOf: () => keys }, sessionLifetime }, keys)

  expect([...devices.keys()]).toEqual([userId])
})

test.each([
  ['this tab', { keysHere: null, isRemembered: true }],
  ['another tab', { keysHere: keys, isRemembered: false }],
])(
  'ACC-12 rememberDevice stores nothing where the user signs out in %s before the server answers',
  async (_, after) => {
    const { promise: answered, resolve } = Promise.withResolvers<typeof answer>()
    let state: { keysHere: typeof keys | null; isRemembered: boolean } = { keysHere: keys, isRemembered: true }
    const keyRing = { keysOf: () => state.keysHere }
    const sessionLifetime = { isRemembered: () => state.isRemembered }
    const remembering = rememberDevice({ call: () => answered as never, keyRing, sessionLifetime }, keys)
    state = after
    resolve(answer)
    await remembering

    expect([...devices.keys()]).toEqual([])
  },
)
