import { randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { derivePairKeys, type PakeInput, parseDeviceName, startPake } from './pake.ts'

const context = { origin: 'https://files.example', prefix: '48', pin: '482913', deviceName: 'Mac' }
const none = new Uint8Array(0)

function pakeInput(change: Partial<PakeInput> = {}): Omit<PakeInput, 'role'> {
  return {
    ...context,
    mode: 'link',
    secret: new Uint8Array(16).fill(7),
    n: toBase64url(new Uint8Array(16).fill(1)),
    ...change,
  }
}

async function runPake(creator: Omit<PakeInput, 'role'>, joiner: Omit<PakeInput, 'role'>) {
  const here = await startPake({ ...creator, role: 'creator' })
  const there = await startPake({ ...joiner, role: 'joiner' })
  return Promise.all([here.finish(there.message), there.finish(here.message)])
}

test.each<[string, Partial<PakeInput>]>([
  ['the 6 digits but not the link secret', { secret: none }],
  ['the 6 digits and another secret', { secret: new Uint8Array(16).fill(8) }],
  ['the digits and requests the weaker mode', { mode: 'pin', secret: none }],
  ['everything but the origin of the server', { origin: 'https://other.example' }],
  ['everything but the nonce of the room', { n: toBase64url(new Uint8Array(16).fill(2)) }],
])('T205 a device that knows %s fails the PAKE', async (_, change) => {
  const [creator, joiner] = await runPake(pakeInput(), pakeInput(change))

  await expect(creator.requireTag(await joiner.tag())).rejects.toThrow('The confirmation tag is wrong')
  await expect(joiner.requireTag(await creator.tag())).rejects.toThrow('The confirmation tag is wrong')
})

test('T205 a signal opens once, unchanged and only for the other device; a lost one does not block later ones', async () => {
  const [here, there] = await runPake(pakeInput(), pakeInput())
  const [creator, joiner] = await Promise.all([derivePairKeys(here, 'creator'), derivePairKeys(there, 'joiner')])
  const seal = (text: string, label = 'webrtc-offer') => creator.signals.seal(utf8(text), label)
  const [first, , third] = [await seal('one'), await seal('two'), await seal('three')]
  if (!first || !third) throw new Error('Nothing was sealed')

  expect(await joiner.signals.open(third, 'webrtc-answer')).toBe(null)
  expect(await joiner.signals.open({ ...third, s: 3 }, 'webrtc-offer')).toBe(null)
  expect(await joiner.signals.open({ s: 0, c: toBase64url(randomBytes(60)) }, 'webrtc-offer')).toBe(null)
  expect(await joiner.signals.open({ s: 0, c: '!' }, 'webrtc-offer')).toBe(null)
  expect(await creator.signals.open(first, 'webrtc-offer')).toBe(null)
  expect(await joiner.signals.open(first, 'webrtc-offer')).toEqual(utf8('one'))
  expect(await joiner.signals.open(third, 'webrtc-offer')).toEqual(utf8('three'))
  expect(await joiner.signals.open(first, 'webrtc-offer')).toBe('repeated')
  expect(await joiner.signals.open(third, 'webrtc-offer')).toBe('repeated')
})

test('the name of the other device is read only from its PAKE message', async () => {
  const name = 'Chrome on a device called Zoë’s '.padEnd(190, '.')
  const { message } = await startPake({ ...pakeInput({ deviceName: name }), role: 'creator' })

  expect(parseDeviceName(message.aad)).toBe(name)
  expect(parseDeviceName(message.aad.slice(0, -1))).toBe('')
  expect(parseDeviceName(randomBytes(40).fill(0xff))).toBe('')
  expect(parseDeviceName(none)).toBe('')
})
