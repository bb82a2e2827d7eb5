import { expect, test } from 'vitest'
import { createDeviceKey, openDeviceUnlock, sealDeviceUnlock } from './device-unlock.ts'
import { createKey } from './secret.ts'
import { expectCryptoError } from './testing/check.ts'
import { unlockInner } from './testing/second-zk1.ts'

const createTestDevice = async () => ({ deviceKey: await createDeviceKey(), share: createKey(), deviceId: 'device-1' })
const createTestKeys = () => ({ masterKey: createKey(), accountKey: createKey() })

test('a remembered device opens the keys of a signed-in tab', async () => {
  const [device, keys] = [await createTestDevice(), createTestKeys()]

  const blob = await sealDeviceUnlock({ ...device, ...keys })

  expect(blob).toHaveLength(64 + 2 * 28)
  expect(await openDeviceUnlock({ ...device, blob })).toEqual(keys)
})

test('the second implementation opens the inner ciphertext', async () => {
  const [device, keys] = [await createTestDevice(), createTestKeys()]
  const blob = await sealDeviceUnlock({ ...device, ...keys })
  const parameters = { name: 'AES-GCM', iv: blob.subarray(0, 12) }

  const inner = new Uint8Array(await crypto.subtle.decrypt(parameters, device.deviceKey, blob.subarray(12)))

  expect(unlockInner(device.share, device.deviceId, inner)).toEqual(
    new Uint8Array([...keys.masterKey, ...keys.accountKey]),
  )
})

test('nothing opens without the share, the device id or the device key', async () => {
  const [device, keys] = [await createTestDevice(), createTestKeys()]
  const blob = await sealDeviceUnlock({ ...device, ...keys })
  const otherKey = await createDeviceKey()

  await expectCryptoError(() => openDeviceUnlock({ ...device, share: createKey(), blob }), 'wrong-key')
  await expectCryptoError(() => openDeviceUnlock({ ...device, deviceId: 'device-2', blob }), 'wrong-key')
  await expectCryptoError(() => openDeviceUnlock({ ...device, deviceKey: otherKey, blob }), 'wrong-key')
  await expectCryptoError(() => openDeviceUnlock({ ...device, blob: blob.slice(0, 50) }), 'wrong-key')
  await expectCryptoError(() => openDeviceUnlock({ ...device, share: new Uint8Array(32), blob }), 'malformed')
})

test('a device without an id is rejected', async () => {
  const device = { ...(await createTestDevice()), deviceId: '' }

  await expectCryptoError(() => sealDeviceUnlock({ ...device, ...createTestKeys() }), 'malformed')
})
