import type { WrapType } from '../../envelope.ts'
import type { CryptoErrorCode } from '../../errors.ts'
import { b64u, derive, fileSecrets, headerOf, lock, metaFor, type Octets, wrapBytes, wrapNames } from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import {
  accountKey,
  countingBytes,
  fileInput,
  fileKey,
  fileUid,
  iv,
  join,
  otherRoot,
  shareKey,
  threeRecords,
  tinyMeta,
  withByteChanged,
  withBytesReplaced,
} from './inputs.ts'

const roots: Record<WrapType, Octets> = {
  account: accountKey,
  share: shareKey,
  session: countingBytes(0x11, 32),
  portal: countingBytes(0x33, 32),
}

export function validEnvelopes(): VectorCase[] {
  return (Object.keys(roots) as WrapType[]).flatMap((wrapType, index): VectorCase[] => {
    const root = roots[wrapType]
    const meta = { ...threeRecords, kind: Math.max(1, index) }
    const envelope = b64u(wrapBytes({ fileKey, meta, root, type: wrapNames.indexOf(wrapType), iv }))
    const context = { root: root.toHex(), wrapType }
    return [
      {
        name: `wrap a file key, type ${wrapType}`,
        operation: 'wrap-file-key',
        input: { ...fileInput(meta), ...context, iv: iv.toHex() },
        expect: 'ok',
        output: { envelope },
      },
      {
        name: `open an envelope, type ${wrapType}`,
        operation: 'open-envelope',
        input: { envelope, ...context },
        expect: 'ok',
        output: { fileKey: fileKey.toHex(), commit: fileSecrets(fileKey, meta).commit.toHex() },
      },
    ]
  })
}

type ErrorCase = readonly [what: string, envelope: string, expect: CryptoErrorCode]

export function invalidEnvelopes(): VectorCase[] {
  const input = { fileKey, meta: threeRecords, root: accountKey, type: 1, iv }
  const valid = wrapBytes(input)
  const text = b64u(valid)
  const otherUid = countingBytes(0xd0, 16)
  const otherFile = wrapBytes({ ...input, fileKey: countingBytes(0x60, 32), meta: tinyMeta(44, otherUid) })
  const otherCommit = fileSecrets(countingBytes(0x60, 32), threeRecords).commit
  const withHeader = (header: Octets) => b64u(withBytesReplaced(valid, 2, header))
  const bare = derive(accountKey, fileUid, 'ef1/wrap/account')
  const standardText = wrapBytes({ ...input, iv: new Uint8Array(12).fill(0xff) }).toBase64({ omitPadding: true })

  const altering: readonly ErrorCase[] = [
    ['a changed IV', b64u(withByteChanged(valid, 90)), 'damaged'],
    ['a changed wrapped key', b64u(withByteChanged(valid, 102)), 'damaged'],
    ['a changed tag', b64u(withByteChanged(valid, 149)), 'damaged'],
    ['a changed commitment', b64u(withByteChanged(valid, 58)), 'damaged'],
    ['a changed key id', b64u(withByteChanged(valid, 57)), 'wrong-key'],
    ['a changed file id', b64u(withByteChanged(valid, 10)), 'damaged'],
    ['a changed size', withHeader(headerOf({ ...threeRecords, size: 43 })), 'damaged'],
    ['a changed kind', withHeader(headerOf({ ...threeRecords, kind: 2 })), 'damaged'],
    ['larger records', withHeader(headerOf(metaFor(1, fileUid, 44, 32))), 'damaged'],
    [
      'a sound wrapping with the commitment of another key',
      b64u(wrapBytes({ ...input, commit: otherCommit })),
      'damaged',
    ],
    [
      'a wrapping without its header bound',
      b64u(withBytesReplaced(valid, 90, lock(bare, iv, fileKey, new Uint8Array(0)))),
      'damaged',
    ],
    ['the wrapped key of another file', b64u(withBytesReplaced(valid, 90, otherFile.slice(90))), 'damaged'],
    ['the header of another file', withHeader(otherFile.slice(2, 42)), 'damaged'],
    ['the key of another account', b64u(wrapBytes({ ...input, root: otherRoot })), 'wrong-key'],
    ['a share envelope', b64u(wrapBytes({ ...input, type: 2, root: shareKey })), 'malformed'],
    ['a session envelope under the same root', b64u(wrapBytes({ ...input, type: 3 })), 'malformed'],
    ['another type written over it', b64u(withBytesReplaced(valid, 1, Uint8Array.of(2))), 'malformed'],
    ['type 0', b64u(withBytesReplaced(valid, 1, Uint8Array.of(0))), 'unsupported-version'],
    ['type 5', b64u(withBytesReplaced(valid, 1, Uint8Array.of(5))), 'unsupported-version'],
    ['envelope version 0', b64u(withBytesReplaced(valid, 0, Uint8Array.of(0xe0))), 'unsupported-version'],
    ['envelope version 2', b64u(withBytesReplaced(valid, 0, Uint8Array.of(0xe2))), 'unsupported-version'],
    ['header version 2', withHeader(headerOf({ ...threeRecords, version: 2 })), 'unsupported-version'],
    ['a header that contradicts itself', withHeader(headerOf({ ...threeRecords, total: 4 })), 'malformed'],
  ]
  const cutting = [0, 1, 2, 42, 58, 90, 102, 149].map(
    (length): ErrorCase => [`only its first ${length} bytes`, b64u(valid.slice(0, length)), 'malformed'],
  )
  const writing: readonly ErrorCase[] = [
    ['a byte too much', b64u(join(valid, Uint8Array.of(0))), 'malformed'],
    ['a character too much', `${text}A`, 'malformed'],
    ['a character too few', text.slice(0, -1), 'malformed'],
    ['padding', `${text}====`, 'malformed'],
    ['padding in place of its end', `${text.slice(0, -1)}=`, 'malformed'],
    ['a blank in front', ` ${text.slice(1)}`, 'malformed'],
    ['a line break within', `${text.slice(0, 76)}\n${text.slice(77)}`, 'malformed'],
    ['the standard alphabet', standardText, 'malformed'],
    ['a letter outside of ASCII', `${text.slice(0, -1)}Ａ`, 'malformed'],
  ]
  return [...altering, ...cutting, ...writing].map(([what, envelope, expect]) => ({
    name: `refuse an envelope with ${what}`,
    operation: 'open-envelope',
    input: { envelope, root: accountKey.toHex(), wrapType: 'account' },
    expect,
  }))
}
