import { expect, test } from 'vitest'
import { createDeviceKey, openDeviceUnlock, sealDeviceUnlock } from './device-unlock.ts'
import { createKey } from './secret.ts'
import { expectRefusal } from './testing/check.ts'
import { unlockInner } from './testing/second-zk1.ts'

const aDevice = async () => ({ deviceKey: await createDeviceKey(), share: createKey(), deviceId: 'device-1' })
const someKeys = () => ({ masterKey: createKey(), accountKey: createKey() })

test('a remembered device opens what a signed-in tab left', async () => {
  const [device, keys] = [await aDevice(), someKeys()]

  const blob = await sealDeviceUnlock({ ...device, ...keys })

  expect(blob).toHaveLength(64 + 2 * 28)
  expect(await openDeviceUnlock({ ...device, blob })).toEqual(keys)
})

test('the inner box is what the second implementation expects', async () => {
  const [device, keys] = [await aDevice(), someKeys()]
  const blob = await sealDeviceUnlock({ ...device, ...keys })
  const parameters = { name: 'AES-GCM', iv: blob.subarray(0, 12) }

  const inner = new Uint8Array(await crypto.subtle.decrypt(parameters, device.deviceKey, blob.subarray(12)))

  expect(unlockInner(device.share, device.deviceId, inner)).toEqual(
    new Uint8Array([...keys.masterKey, ...keys.accountKey]),
  )
})

test('without the share, the id or the key of the device nothing opens', async () => {
  const [device, keys] = [await aDevice(), someKeys()]
  const blob = await sealDeviceUnlock({ ...device, ...keys })
  const otherKey = await createDeviceKey()

  await expectRefusal(() => openDeviceUnlock({ ...device, share: createKey(), blob }), 'wrong-key')
  await expectRefusal(() => openDeviceUnlock({ ...device, deviceId: 'device-2', blob }), 'wrong-key')
  await expectRefusal(() => openDeviceUnlock({ ...device, deviceKey: otherKey, blob }), 'wrong-key')
  await expectRefusal(() => openDeviceUnlock({ ...device, blob: blob.slice(0, 50) }), 'wrong-key')
  await expectRefusal(() => openDeviceUnlock({ ...device, share: new Uint8Array(32), blob }), 'malformed')
})

test('a device without an id is not remembered', async () => {
  const device = { ...(await aDevice()), deviceId: '' }

  await expectRefusal(() => sealDeviceUnlock({ ...device, ...someKeys() }), 'malformed')
})
