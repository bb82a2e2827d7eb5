import type { CryptoErrorCode } from '../../errors.ts'
import { b64u, fragment, proof, shareKeyOf, unb64u } from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import { accountKey, countingBytes, fileUid, join, shareKey, withByteChanged } from './inputs.ts'

export function validShares(): VectorCase[] {
  const derived = shareKeyOf(accountKey, fileUid)
  const written = [shareKey, derived].flatMap((key): VectorCase[] => [
    {
      name: `write the fragment of ${key.toHex().slice(0, 8)}`,
      operation: 'encode-fragment',
      input: { shareKey: key.toHex() },
      expect: 'ok',
      output: { fragment: fragment(key), proof: proof(key).toHex() },
    },
    {
      name: `read the fragment of ${key.toHex().slice(0, 8)}`,
      operation: 'decode-fragment',
      input: { fragment: fragment(key) },
      expect: 'ok',
      output: { shareKey: key.toHex() },
    },
  ])
  return [
    ...written,
    {
      name: 'derive the share key of a file',
      operation: 'derive-share-key',
      input: { accountKey: accountKey.toHex(), fileUid: fileUid.toHex() },
      expect: 'ok',
      output: { shareKey: derived.toHex() },
    },
  ]
}

export function invalidShares(): VectorCase[] {
  const text = fragment(shareKey)
  const bytes = unb64u(text)
  const dashed = fragment(new Uint8Array(32).fill(0xfb))
  const errorCases: readonly (readonly [string, string, CryptoErrorCode])[] = [
    ['nothing', '', 'truncated'],
    ['one character', text.slice(0, 1), 'truncated'],
    ['its last character cut off', text.slice(0, -1), 'truncated'],
    ['its first character cut off', text.slice(1), 'truncated'],
    ['a character too much', `${text}A`, 'malformed'],
    ['one letter changed', `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`, 'malformed'],
    ['two letters swapped', `${text.slice(0, 10)}${text[11]}${text[10]}${text.slice(12)}`, 'malformed'],
    ['a changed check', b64u(withByteChanged(bytes, 35)), 'malformed'],
    ['a changed version', b64u(withByteChanged(bytes, 0)), 'malformed'],
    ['version 2 and a right check', fragment(shareKey, 2), 'unsupported-version'],
    ['the standard alphabet', dashed.replaceAll('-', '+').replaceAll('_', '/'), 'malformed'],
    ['padding', `${text.slice(0, -1)}=`, 'malformed'],
    ['a blank', `${text.slice(0, 47)} `, 'malformed'],
    ['a key of zeros', fragment(new Uint8Array(32)), 'malformed'],
  ]
  const read = errorCases.map(
    ([what, changed, expect]): VectorCase => ({
      name: `refuse a fragment with ${what}`,
      operation: 'decode-fragment',
      input: { fragment: changed },
      expect,
    }),
  )
  const written = [countingBytes(1, 31), join(shareKey, shareKey), new Uint8Array(32)].map(
    (key): VectorCase => ({
      name: `refuse a share key ${key.toHex().slice(0, 6)} of ${key.length} bytes`,
      operation: 'encode-fragment',
      input: { shareKey: key.toHex() },
      expect: 'malformed',
    }),
  )
  return [...read, ...written]
}
