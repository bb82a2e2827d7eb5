import { randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { type Meeting, nameIn, pairKeysOf, startProof } from './proof.ts'

const place = { origin: 'https://files.example', prefix: '48', pin: '482913', deviceName: 'Mac' }
const none = new Uint8Array(0)

function meeting(change: Partial<Meeting> = {}): Omit<Meeting, 'role'> {
  return {
    ...place,
    mode: 'link',
    secret: new Uint8Array(16).fill(7),
    n: toBase64url(new Uint8Array(16).fill(1)),
    ...change,
  }
}

async function prove(creator: Omit<Meeting, 'role'>, joiner: Omit<Meeting, 'role'>) {
  const here = await startProof({ ...creator, role: 'creator' })
  const there = await startProof({ ...joiner, role: 'joiner' })
  return Promise.all([here.finish(there.message), there.finish(here.message)])
}

test.each<[string, Partial<Meeting>]>([
  ['the six digits and not the secret of the link', { secret: none }],
  ['the six digits and another secret', { secret: new Uint8Array(16).fill(8) }],
  ['the digits and asks for the weaker way', { mode: 'pin', secret: none }],
  ['all of it for another server', { origin: 'https://other.example' }],
  ['all of it for an earlier room', { n: toBase64url(new Uint8Array(16).fill(2)) }],
])('T205 who knows %s proves nothing', async (_, change) => {
  const [creator, joiner] = await prove(meeting(), meeting(change))

  await expect(creator.requireTag(await joiner.tag())).rejects.toThrow('other keys')
  await expect(joiner.requireTag(await creator.tag())).rejects.toThrow('other keys')
})

test('T205 a signal opens once, as it was said, and for the other device alone; one that is missing keeps none back', async () => {
  const [here, there] = await prove(meeting(), meeting())
  const [creator, joiner] = await Promise.all([pairKeysOf(here, 'creator'), pairKeysOf(there, 'joiner')])
  const say = (text: string, about = 'webrtc-offer') => creator.signals.seal(utf8(text), about)
  const [first, , third] = [await say('one'), await say('two'), await say('three')]
  if (!first || !third) throw new Error('nothing was sealed')

  expect(await joiner.signals.open(third, 'webrtc-answer')).toBe(null)
  expect(await joiner.signals.open({ ...third, s: 3 }, 'webrtc-offer')).toBe(null)
  expect(await joiner.signals.open({ s: 0, c: toBase64url(randomBytes(60)) }, 'webrtc-offer')).toBe(null)
  expect(await joiner.signals.open({ s: 0, c: '!' }, 'webrtc-offer')).toBe(null)
  expect(await creator.signals.open(first, 'webrtc-offer')).toBe(null)
  expect(await joiner.signals.open(first, 'webrtc-offer')).toEqual(utf8('one'))
  expect(await joiner.signals.open(third, 'webrtc-offer')).toEqual(utf8('three'))
  expect(await joiner.signals.open(first, 'webrtc-offer')).toBe('old')
  expect(await joiner.signals.open(third, 'webrtc-offer')).toBe('old')
})

test('the name of the other device is read from what its proof holds, and from nothing else', async () => {
  const name = 'Chrome on a device called Zoë’s '.padEnd(190, '.')
  const { message } = await startProof({ ...meeting({ deviceName: name }), role: 'creator' })

  expect(nameIn(message.associated)).toBe(name)
  expect(nameIn(message.associated.slice(0, -1))).toBe('')
  expect(nameIn(randomBytes(40).fill(0xff))).toBe('')
  expect(nameIn(none)).toBe('')
})
