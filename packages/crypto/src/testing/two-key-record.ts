import { ctr } from '@noble/ciphers/aes.js'
import { concatBytes } from '@noble/hashes/utils.js'

// GCM does not commit to its key: an attacker who knows two keys can create one record that verifies under both. This
// shows how, so that a test can demonstrate the purpose of an envelope's commitment. All blocks are elements of
// GF(2^128).

interface TwoKeyRecordInput {
  readonly keys: readonly [Uint8Array, Uint8Array]
  readonly iv: Uint8Array
  readonly aad: Uint8Array
}

/** Returns IV, 32 bytes and a tag that verify under both keys. */
export function forgeTwoKeyRecord({ keys, iv, aad }: TwoKeyRecordInput): Uint8Array {
  const [first, second] = keys.map((key) => ({ hashKey: block(key, zeros), mask: block(key, counterZero(iv)) })) as [
    HalfKey,
    HalfKey,
  ]
  const free = numberOf(new Uint8Array(16).fill(0x5a))
  const known = (half: HalfKey) => hash(half, [...blocksOf(aad), free, 0n, lengths(aad.length, 32)]) ^ half.mask
  const weight = multiply(first.hashKey, first.hashKey) ^ multiply(second.hashKey, second.hashKey)
  const solved = multiply(known(first) ^ known(second), inverse(weight))
  const tag = known(first) ^ multiply(solved, multiply(first.hashKey, first.hashKey))
  return concatBytes(iv, bytesOf(free), bytesOf(solved), bytesOf(tag))
}

interface HalfKey {
  readonly hashKey: bigint
  readonly mask: bigint
}

const zeros = new Uint8Array(16)
const reduction = 0xe1n << 120n

const block = (key: Uint8Array, input: Uint8Array): bigint => numberOf(ctr(key, input).encrypt(zeros))

const counterZero = (iv: Uint8Array): Uint8Array => concatBytes(iv, Uint8Array.of(0, 0, 0, 1))

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytes.toHex()}`)

const bytesOf = (value: bigint): Uint8Array => Uint8Array.fromHex(value.toString(16).padStart(32, '0'))

const blocksOf = (bytes: Uint8Array): bigint[] =>
  Array.from({ length: bytes.length / 16 }, (_, index) => numberOf(bytes.subarray(index * 16, index * 16 + 16)))

const lengths = (aadBytes: number, cipherBytes: number): bigint =>
  (BigInt(aadBytes * 8) << 64n) | BigInt(cipherBytes * 8)

const hash = ({ hashKey }: HalfKey, blocks: readonly bigint[]): bigint =>
  blocks.reduce((sum, next) => multiply(sum ^ next, hashKey), 0n)

function multiply(left: bigint, right: bigint): bigint {
  let product = 0n
  let shifted = right
  for (let bit = 127n; bit >= 0n; bit -= 1n) {
    if ((left >> bit) & 1n) product ^= shifted
    shifted = shifted & 1n ? (shifted >> 1n) ^ reduction : shifted >> 1n
  }
  return product
}

/** By Fermat: the power 2^128 − 2. */
function inverse(value: bigint): bigint {
  let result = 1n << 127n
  let square = value
  for (let step = 0; step < 127; step += 1) {
    square = multiply(square, square)
    result = multiply(result, square)
  }
  return result
}
