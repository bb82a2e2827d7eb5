import { testFlow } from '@sallyport/lying-server/test-flow'
import { vi } from 'vitest'
import type { StoredDevice } from '#/lib/keys/device-store.ts'
import { accountFlow } from './account.flow.ts'

// An in-memory replacement of IndexedDB.
const devices = vi.hoisted(() => new Map<string, StoredDevice>())
vi.mock('#/lib/keys/device-store.ts', () => ({
  readStoredDevice: async (userId: string) => devices.get(userId),
  writeStoredDevice: async (device: StoredDevice) => void devices.set(device.userId, device),
  deleteStoredDevice: async (userId: string) => void devices.delete(userId),
  deleteStoredDevices: async () => devices.clear(),
}))

testFlow(accountFlow(), 120)
