import { ristretto255_hasher as hasher, ristretto255 } from '@noble/curves/ed25519.js'
import { type Bytes, unshared } from '../bytes.ts'
import { randomBytes } from '../random.ts'

type Element = InstanceType<typeof ristretto255.Point>

const scalarBytes = 32
/** The group has a little more than 2^252 elements. */
const topByteMask = 0x0f

/** Maps 64 uniform bytes to an element of the group. */
export function elementFromUniform(uniform: Uint8Array): Element {
  if (!hasher.deriveToCurve) throw new Error('The group cannot derive elements')
  return hasher.deriveToCurve(uniform)
}

/** A random scalar of 252 bits, little-endian; never zero. */
export function sampleScalar(): Bytes {
  for (;;) {
    const scalar = randomBytes(scalarBytes)
    scalar[scalarBytes - 1] = (scalar[scalarBytes - 1] ?? 0) & topByteMask
    if (scalar.some((byte) => byte !== 0)) return scalar
  }
}

export const multiply = (scalar: Uint8Array, element: Element): Bytes => encode(element.multiply(toBigInt(scalar)))

export const encode = (element: Element): Bytes => unshared(element.toBytes())

/**
 * Multiplies an element of the other side. Returns null for an invalid encoding and for the neutral element, whose
 * product is known without the password.
 */
export function multiplyPeerElement(scalar: Uint8Array, encoded: Uint8Array): Bytes | null {
  const element = decode(encoded)
  return !element || element.is0() ? null : multiply(scalar, element)
}

function decode(encoded: Uint8Array): Element | null {
  try {
    return ristretto255.Point.fromBytes(encoded)
  } catch {
    return null
  }
}

const toBigInt = (scalar: Uint8Array): bigint => scalar.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n)
