import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { UsageError } from '../options.ts'

type ByteSource = AsyncIterable<Uint8Array>
type AgeInput = Parameters<Decrypter['decrypt']>[0] & globalThis.ReadableStream<Uint8Array>

/** Throws unless each of these is a public key of age. */
export function requireRecipients(recipients: readonly string[]): void {
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient)
    } catch (error) {
      throw new UsageError(`${recipient} is not a public key of age: ${(error as Error).message}`)
    }
  }
}

/** Seals a stream for all of these public keys. */
export function sealStream(bytes: Readable, recipients: readonly string[]): Readable {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return bytes.compose(async function* (source: ByteSource) {
    yield* toIterable(await encrypter.encrypt(toAgeInput(source)))
  }) as unknown as Readable
}

/** Opens a sealed stream with the private keys of an identity file. */
export function openSealedStream(bytes: Readable, identities: readonly string[]): Readable {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return bytes.compose(async function* (source: ByteSource) {
    yield* toIterable(await decrypter.decrypt(toAgeInput(source)))
  }) as unknown as Readable
}

/** Reads an identity file as `age-keygen` writes it: private keys, and comments after `#`. */
export async function readIdentities(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0) throw new UsageError(`${path} has no private key of age`)
  return identities
}

const toAgeInput = (source: ByteSource): AgeInput => ReadableStream.from(source) as unknown as AgeInput
const toIterable = (stream: globalThis.ReadableStream<Uint8Array>): ByteSource => stream as unknown as ByteSource
