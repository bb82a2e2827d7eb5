import { importRootKey, randomBytes, utf8 } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import type { PairKeys, PortalRole } from './pake.ts'
import { createRePairing } from './re-pairing.ts'

type RePairingMessage = Parameters<ReturnType<typeof createRePairing>['handleMessage']>[0]

/** Two devices at a server that forwards their messages or replaces them. */
async function rePair({
  roots = [1, 1],
  forward = (message: RePairingMessage): RePairingMessage | null => message,
}: {
  roots?: readonly [number, number]
  forward?: (message: RePairingMessage) => RePairingMessage | null
} = {}) {
  const agreed: Partial<Record<PortalRole, { keys: PairKeys; name: string }>> = {}
  const waiting: { to: PortalRole; message: RePairingMessage }[] = []
  const sent: RePairingMessage[] = []
  const device = async (role: PortalRole, root: number) =>
    createRePairing({
      again: await importRootKey(new Uint8Array(32).fill(root)),
      role,
      origin: 'https://files.example.org',
      send(message) {
        sent.push(message)
        const passed = forward(message)
        if (passed) waiting.push({ to: role === 'creator' ? 'joiner' : 'creator', message: passed })
      },
      onKeys(keys, name) {
        agreed[role] = { keys, name }
      },
    })
  const devices = { creator: await device('creator', roots[0]), joiner: await device('joiner', roots[1]) }
  const rejections: unknown[] = []
  async function run() {
    await devices.creator.start()
    await devices.joiner.start()
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await devices[next.to].handleMessage(next.message).catch((error: unknown) => void rejections.push(error))
    }
  }
  await run()
  return { agreed, sent, rejections, devices, run }
}

test('T205 paired devices agree on new keys without a code, different ones each time', async () => {
  const { agreed, run } = await rePair()
  const first = agreed.creator
  expect(first?.name).toBe(agreed.joiner?.name)
  const sealed = await agreed.creator?.keys.signals.seal(utf8('hello'), 'webrtc-offer')
  expect(sealed && (await agreed.joiner?.keys.signals.open(sealed, 'webrtc-offer'))).toEqual(utf8('hello'))

  await run()

  expect(agreed.joiner?.name).toBe(agreed.creator?.name)
  expect(agreed.creator?.name).not.toBe(first?.name)
  expect(sealed && (await agreed.joiner?.keys.signals.open(sealed, 'webrtc-offer'))).toBe(null)
})

test('T205 re-pairing with a different root key yields no keys on either side', async () => {
  for (const roots of [
    [1, 2],
    [2, 1],
  ] as const) {
    const { agreed, rejections } = await rePair({ roots })
    expect(agreed).toEqual({})
    expect(rejections).toHaveLength(1)
  }
})

test('T205 T206 modified, dropped or replayed re-pairing messages yield no keys', async () => {
  const changed = await rePair({ forward: (message) => ({ ...message, ...(message.ad && { ad: 'AAAA' }) }) })
  expect(changed.agreed).toEqual({})
  const dropped = await rePair({ forward: (message) => (message.y === undefined ? null : message) })
  expect(dropped.agreed.creator).toBe(undefined)

  const { agreed, sent, devices } = await rePair()
  const before = agreed.creator?.name
  for (const message of [...sent]) await devices.creator.handleMessage(message).catch(() => undefined)
  const foreign = { type: 'px-again', n: Buffer.from(randomBytes(16)).toString('base64url'), tag: 'AAAA' } as const
  await devices.creator.handleMessage(foreign)
  expect(agreed.creator?.name).toBe(before)
})
