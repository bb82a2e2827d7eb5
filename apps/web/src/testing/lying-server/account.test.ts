import { testFlow } from '@sallyport/client/testing/lying-server/test-flow'
import { vi } from 'vitest'
import type { KeptDevice } from '#/keys/device-store.ts'
import { accountFlow } from './account.flow.ts'

// The browser's database in memory.
const devices = vi.hoisted(() => new Map<string, KeptDevice>())
vi.mock('#/keys/device-store.ts', () => ({
  readDevice: async (userId: string) => devices.get(userId),
  writeDevice: async (device: KeptDevice) => void devices.set(device.userId, device),
  forgetDevices: async () => devices.clear(),
}))

testFlow(accountFlow(), 120)
