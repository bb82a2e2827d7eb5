import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8 } from '../bytes.ts'
import { randomBytes } from '../random.ts'
import { type CpaceMessage, deriveIsk, startCpace, transcriptOf } from './cpace.ts'
import { elementFromUniform, encode, multiplyPeerElement, sampleScalar } from './group.ts'
import { generatorString, lengthPrefixed, parseLengthPrefixed, prependLength } from './strings.ts'

// draft-irtf-cfrg-cpace-21, appendix on ristretto255 with SHA-512.
const hex = (text: string) => Uint8Array.fromHex(text)
const vector = {
  password: utf8('Password'),
  context: hex('0b415f696e69746961746f720b425f726573706f6e646572'),
  exchangeId: hex('7e4b4791d6a8ef019b936c79fb7f2c57'),
  generator: '222b6b195fe84b1652badb6f6a3ae3d24341e7306967f0b8115b40d5698c7e56',
  hash: 'da6d3ddc8802fca9058755ffd3ebde08a9c2c74945901a258482a288b6663af06bf645c93cd1c51512307199c80e84908916d983b34af77205f90851a657ee27',
  ya: hex('da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08'),
  Ya: 'd6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0eec482b9157',
  yb: hex('d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d'),
  Yb: '3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7433f7258',
  shared: '80b69a8a76457ab6a4d7f887a4bf6b55a2f80ac19c333f917a05fc9887c8b40f',
  key: 'b69effbf61b51d56401c0f65601abe428de8206feaaf0e32198896dcae7b35cd2b38950a39dfd5d4a79164614c2984f7daa460b588c1e80c3fa2068af7900447',
}
const multiplicationVector = {
  scalar: hex('7cd0e075fa7955ba52c02759a6c90dbbfc10e6d40aea8d283e407d88cf538a05'),
  element: hex('2c3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c'),
  product: '7c13645fe790a468f62c39beb7388e541d8405d1ade69d1778c5fe3e7f6b600e',
  noElement: hex('2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c'),
  neutral: new Uint8Array(32),
}

test('CPace derives the generator of the draft', async () => {
  const text = generatorString({ domain: utf8('CPaceRistretto255'), ...vector })
  const uniform = new Uint8Array(await crypto.subtle.digest('SHA-512', text))

  expect(text).toHaveLength(170)
  expect(uniform.toHex()).toBe(vector.hash)
  expect(encode(elementFromUniform(uniform)).toHex()).toBe(vector.generator)
})

test('CPace produces both messages, the shared element and the key of the draft', async () => {
  const { Ya, Yb, ya, yb } = vector
  const initiator = await startCpace({ ...vector, role: 'initiator', aad: utf8('ADa'), scalar: ya })
  const responder = await startCpace({ ...vector, role: 'responder', aad: utf8('ADb'), scalar: yb })
  const shared = multiplyPeerElement(ya, hex(Yb))
  const transcript = transcriptOf(initiator.message, responder.message)

  expect(initiator.message.element.toHex()).toBe(Ya)
  expect(responder.message.element.toHex()).toBe(Yb)
  expect(shared?.toHex()).toBe(vector.shared)
  expect(multiplyPeerElement(yb, hex(Ya))?.toHex()).toBe(vector.shared)
  expect(transcript).toHaveLength(74)
  expect((await deriveIsk({ ...vector, shared: hex(vector.shared), transcript })).toHex()).toBe(vector.key)
})

test('CPace multiplies as in the draft and rejects both of its invalid elements', async () => {
  const { scalar, element, product, noElement, neutral } = multiplicationVector
  expect(multiplyPeerElement(scalar, element)?.toHex()).toBe(product)
  expect(multiplyPeerElement(scalar, noElement)).toBeNull()
  expect(multiplyPeerElement(scalar, neutral)).toBeNull()

  const side = await startCpace({ ...vector, role: 'responder', aad: utf8('') })
  for (const sent of [noElement, neutral, new Uint8Array(31)]) {
    await expect(side.finish({ element: sent, aad: utf8('') })).rejects.toMatchObject({ code: 'malformed' })
  }
})

test('lengths are encoded in groups of seven bits', () => {
  expect(prependLength(utf8('1234')).toHex()).toBe('0431323334')
  expect(prependLength(new Uint8Array(0)).toHex()).toBe('00')
  expect(prependLength(new Uint8Array(127)).toHex().slice(0, 2)).toBe('7f')
  expect(prependLength(new Uint8Array(128)).toHex().slice(0, 4)).toBe('8001')
  expect(prependLength(new Uint8Array(300)).toHex().slice(0, 4)).toBe('ac02')
  expect(lengthPrefixed(utf8('1234'), utf8('5'), utf8('')).toHex()).toBe('0431323334013500')
})

test('a scalar is below the order of the group and never zero', () => {
  for (let round = 0; round < 200; round += 1) {
    const scalar = sampleScalar()
    expect(scalar[31]).toBeLessThan(16)
    expect(scalar.some((byte) => byte !== 0)).toBe(true)
  }
})

const password = utf8('482910')
const common = { password, context: utf8('room'), exchangeId: randomBytes(16) }

async function exchange(
  changedA: object = {},
  changedB: object = {},
  intercept = (message: CpaceMessage): CpaceMessage => message,
) {
  const a = await startCpace({ ...common, role: 'initiator', aad: utf8('a'), ...changedA })
  const b = await startCpace({ ...common, role: 'responder', aad: utf8('b'), ...changedB })
  return { a: await a.finish(intercept(b.message)), b: await b.finish(intercept(a.message)) }
}

test('two sides with the same code derive the same keys, and each accepts only the tag of the other', async () => {
  const { a, b } = await exchange()

  expect(await a.derive('grant')).toEqual(await b.derive('grant'))
  expect(await a.derive('grant')).not.toEqual(await a.derive('other'))
  await a.requireTag(await b.tag())
  await b.requireTag(await a.tag())
  await expect(a.requireTag(await a.tag())).rejects.toMatchObject({ code: 'wrong-key' })
})

test.each([
  ['another password', {}, { password: utf8('482911') }],
  ['another context', {}, { context: utf8('hall') }],
  ['another exchange', {}, { exchangeId: randomBytes(16) }],
  ['the same role', {}, { role: 'initiator' }],
])('with %s the two sides reject each other', async (_, changedA, changedB) => {
  const { a, b } = await exchange(changedA, changedB)

  await expect(a.requireTag(await b.tag())).rejects.toMatchObject({ code: 'wrong-key' })
  await expect(b.requireTag(await a.tag())).rejects.toMatchObject({ code: 'wrong-key' })
})

test('modified associated data are detected', async () => {
  const { a, b } = await exchange({}, {}, (message) => ({ ...message, aad: utf8('c') }))

  await expect(a.requireTag(await b.tag())).rejects.toMatchObject({ code: 'wrong-key' })
})

test('a man in the middle without the code is detected by both sides', async () => {
  const swap = (message: CpaceMessage) => ({ ...message, element: encode(elementFromUniform(randomBytes(64))) })
  const { a, b } = await exchange({}, {}, swap)

  await expect(a.requireTag(await b.tag())).rejects.toMatchObject({ code: 'wrong-key' })
  await expect(b.requireTag(await a.tag())).rejects.toMatchObject({ code: 'wrong-key' })
})

test('any 32 bytes lead to keys or to a CryptoError', async () => {
  const side = await startCpace({ ...common, role: 'initiator', aad: utf8('a') })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 0, maxLength: 40 }), async (bytes) => {
      const element = new Uint8Array(bytes)
      const outcome = await side.finish({ element, aad: utf8('b') }).catch((error) => error.code)
      expect(outcome === 'malformed' || typeof outcome === 'object').toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('an exchange with an empty code or a short id is not started', async () => {
  const start = { ...common, role: 'initiator', aad: utf8('a') } as const
  await expect(startCpace({ ...start, password: utf8('') })).rejects.toMatchObject({ code: 'malformed' })
  await expect(startCpace({ ...start, exchangeId: randomBytes(15) })).rejects.toMatchObject({ code: 'malformed' })
})

test('length-prefixed byte strings are parsed as they were built, and nothing else is', () => {
  const byteStrings = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 })
  fc.assert(
    fc.property(byteStrings, (strings) => {
      expect(parseLengthPrefixed(lengthPrefixed(...strings))).toEqual(strings)
    }),
  )
  for (const malformed of [hex('05aa'), hex('80'), hex('ffffffffff01'), hex('01aa80')])
    expect(parseLengthPrefixed(malformed)).toBe(null)
})
