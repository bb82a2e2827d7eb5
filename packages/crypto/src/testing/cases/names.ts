import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { CryptoErrorCode } from '../../errors.ts'
import { b64u, fileSecrets, lock, lockName, namePlain, type Octets, padded, unb64u } from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import {
  countingBytes,
  fileInput,
  fileKey,
  join,
  threeRecords,
  tinyMeta,
  withByteChanged,
  withBytesReplaced,
} from './inputs.ts'

const iv = countingBytes(0x50, 12)
const time = 1_767_225_600_000
const secrets = fileSecrets(fileKey, threeRecords)
const sealedNameOf = (name: string, mime = 'text/plain') =>
  lockName(secrets, iv, padded(namePlain({ name, mime, time })))

export function validNames(): VectorCase[] {
  const names: readonly (readonly [what: string, name: string, mimeType: string])[] = [
    ['an empty name', '', ''],
    ['a name of one byte', 'a', 'text/plain'],
    ['a name of 1,024 bytes', 'n'.repeat(1024), 'm'.repeat(127)],
    ['a composed name', '\u00c5ngstr\u00f6m.txt', 'text/plain'],
    ['a decomposed name', 'A\u030angstro\u0308m.txt', 'text/plain'],
    ['a name of emoji', '👩‍👩‍👧‍👦 🏳️‍🌈.png', 'image/png'],
    ['a name that turns the reading direction', '\u202egnp.exe', 'image/png'],
    ['a name with a NUL', 'a\0b', 'application/octet-stream'],
    ['a name that begins with a byte order mark', '\ufeffreport.txt', 'text/plain'],
    ['a name that fills its block', 'b'.repeat(41), 'text/plain'],
    ['a name that just needs another block', 'b'.repeat(42), 'text/plain'],
  ]
  return names.flatMap(([what, name, mimeType]): VectorCase[] => {
    const sealedName = sealedNameOf(name, mimeType)
    const fileName = { name, mimeType, lastModified: time }
    return [
      {
        name: `seal ${what}`,
        operation: 'seal-name',
        input: { ...fileInput(threeRecords), ...fileName, iv: iv.toHex() },
        expect: 'ok',
        output: { sealedName },
      },
      {
        name: `open ${what}`,
        operation: 'open-name',
        input: { ...fileInput(threeRecords), sealedName },
        expect: 'ok',
        output: { ...fileName, name: name.normalize('NFC') },
      },
    ]
  })
}

export function invalidNames(): VectorCase[] {
  const sealedName = sealedNameOf('report.pdf')
  const box = unb64u(sealedName.slice(4))
  const plain = namePlain({ name: 'report.pdf', mime: 'text/plain', time })
  const asName = (bytes: Octets) => `ef1.${b64u(bytes)}`
  const locked = (content: Octets) => lockName(secrets, iv, content)
  const uncommitted = lock(secrets.meta, iv, padded(plain), join(utf8ToBytes('EF1N'), secrets.p))
  const otherFile = fileSecrets(countingBytes(0x60, 32), tinyMeta(44, countingBytes(0xd0, 16)))

  const errorCases: readonly (readonly [string, string, CryptoErrorCode])[] = [
    ['the name of another file', lockName(otherFile, iv, padded(plain)), 'damaged'],
    ['a changed IV', asName(withByteChanged(box, 0)), 'damaged'],
    ['a changed byte', asName(withByteChanged(box, 30)), 'damaged'],
    ['a changed tag', asName(withByteChanged(box, box.length - 1)), 'damaged'],
    ['a name that is cut', asName(box.slice(0, -64)), 'damaged'],
    ['a name without a tag', asName(box.slice(0, 12)), 'damaged'],
    ['a name that is not bound to the commitment', asName(uncommitted), 'damaged'],
    ['a plain name', 'report.pdf', 'malformed'],
    ['an empty text', '', 'malformed'],
    ['a name of version 2', `ef2.${sealedName.slice(4)}`, 'unsupported-version'],
    ['a padded text', `${sealedName}=`, 'malformed'],
    ['a text with a blank', `${sealedName.slice(0, 60)} ${sealedName.slice(60)}`, 'malformed'],
    ['a text in the standard alphabet', `ef1.${box.toBase64({ omitPadding: true })}`, 'malformed'],
    ['a text whose unused bits are set', nonCanonical(sealedName), 'malformed'],
    ['content of version 2', locked(padded(withBytesReplaced(plain, 0, Uint8Array.of(2)))), 'unsupported-version'],
    ['a name length beyond the end', locked(padded(withBytesReplaced(plain, 1, Uint8Array.of(4, 0)))), 'malformed'],
    ['a name length that is one too short', locked(padded(withBytesReplaced(plain, 2, Uint8Array.of(9)))), 'malformed'],
    ['a byte too much', locked(padded(join(plain, Uint8Array.of(0)))), 'malformed'],
    ['a name that is no text', locked(padded(withBytesReplaced(plain, 3, Uint8Array.of(0xff)))), 'malformed'],
    [
      'a time beyond all numbers',
      locked(padded(withBytesReplaced(plain, plain.length - 8, new Uint8Array(8).fill(255)))),
      'malformed',
    ],
    ['a name of 1,025 bytes', locked(padded(namePlain({ name: 'n'.repeat(1025), mime: '', time }))), 'malformed'],
    ['a type of 128 bytes', locked(padded(namePlain({ name: 'a', mime: 'm'.repeat(128), time }))), 'malformed'],
    [
      'another mark before the zeros',
      locked(withBytesReplaced(padded(plain), plain.length, Uint8Array.of(0x01))),
      'malformed',
    ],
    ['no mark before the zeros', locked(join(plain, new Uint8Array(64 - plain.length))), 'malformed'],
    ['a block of zeros too much', locked(join(padded(plain), new Uint8Array(64))), 'malformed'],
    ['content that does not fill its block', locked(join(plain, Uint8Array.of(0x80))), 'malformed'],
    ['nothing but zeros', locked(new Uint8Array(64)), 'malformed'],
  ]
  const tooLong = [
    ['a name of 1,025 bytes', 'n'.repeat(1025), ''],
    ['a name of 513 letters of two bytes', 'ö'.repeat(513), ''],
    ['a type of 128 bytes', 'a', 'm'.repeat(128)],
  ].map(
    ([what = '', name = '', mimeType = '']): VectorCase => ({
      name: `refuse to seal ${what}`,
      operation: 'seal-name',
      input: { ...fileInput(threeRecords), name, mimeType, lastModified: time, iv: iv.toHex() },
      expect: 'too-long',
    }),
  )
  const opened = errorCases.map(
    ([what, text, expect]): VectorCase => ({
      name: `refuse ${what} as a name`,
      operation: 'open-name',
      input: { ...fileInput(threeRecords), sealedName: text },
      expect,
    }),
  )
  return [...opened, ...tooLong]
}

/** A non-canonical encoding of the same bytes: the unused bits of the last character are set. */
export function nonCanonical(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) + 1)
}
