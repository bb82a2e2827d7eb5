import { randomUUIDv7 } from 'node:crypto'
import { rateLimits } from '@sallyport/contract/limits'
import { keyIdText } from '@sallyport/crypto/envelope'
import { refuse } from '../errors.ts'
import type { Attempts } from '../limits/attempts.ts'
import { readEnvelope, requireEnvelope } from '../uploads/sealed-form.ts'
import { hashOf, isProof, tokenOf } from './share-token.ts'
import type { SharedFile, SharesStore } from './shares.store.ts'

interface Parts {
  readonly store: SharesStore
  /** Makes the tokens of shares. */
  readonly secret: Buffer
  readonly attempts: Attempts
  readonly now: () => number
  /** Refuse wrapped keys that are not envelopes of the very file. */
  readonly strict: boolean
}

interface Sharing {
  readonly ownerId: string
  readonly fileId: string
  /** The file's key, wrapped with a share key the server never sees. */
  readonly wrappedKey: string
  readonly proof: string | undefined
}

/** Shares of files: addresses that lead strangers to sealed bytes and to a key that only the link opens. */
export function createSharing({ store, secret, attempts, now, strict }: Parts) {
  const addressOf = (shareId: string): string => `/s/${tokenOf(secret, shareId)}`

  async function requireFile(ownerId: string, fileId: string): Promise<string> {
    const wrappedKey = await store.findWrappedKey(ownerId, fileId, now())
    if (wrappedKey === null) throw refuse('FILE_NOT_FOUND')
    return wrappedKey
  }

  return {
    /** The address of the file under this share key; asked again for the same key, the same. */
    async share({ ownerId, fileId, wrappedKey, proof }: Sharing): Promise<string> {
      const ownersKey = await requireFile(ownerId, fileId)
      const keyId = strict ? requireSameFile(wrappedKey, ownersKey) : guessKeyId(wrappedKey)
      const id = randomUUIDv7()
      const shareId = await store.add(fileId, {
        id,
        tokenHash: hashOf(tokenOf(secret, id)),
        keyId,
        wrappedKey,
        proofHash: proof === undefined ? null : hashOf(proof),
        createdAt: now(),
      })
      return addressOf(shareId)
    },

    async findAddress(ownerId: string, fileId: string): Promise<string> {
      await requireFile(ownerId, fileId)
      const shareId = await store.findNewest(fileId)
      if (shareId === null) throw refuse('NOT_SHARED')
      return addressOf(shareId)
    },

    async revoke(ownerId: string, fileId: string): Promise<void> {
      await requireFile(ownerId, fileId)
      if (!(await store.removeAll(ownerId, fileId))) throw refuse('NOT_SHARED')
    },

    /** The file behind a token. Only misses are counted, against the block of addresses they come from. */
    async find(token: string, address: string): Promise<SharedFile> {
      const key = `share-miss:${address}`
      const verdict = await attempts.allow(key, rateLimits.shareMissesPerAddress)
      if (!verdict.allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds })
      const file = await store.findFile(hashOf(token), now())
      if (!file) throw refuse('SHARE_NOT_FOUND')
      await attempts.forgive(key)
      return file
    },

    /** Refuses whoever knows the address of a share but not its whole link. */
    requireProof({ proofHash }: SharedFile, proof: string | undefined): void {
      if (proofHash !== null && !isProof(proof, proofHash)) throw refuse('SHARE_PROOF_REQUIRED')
    },

    countDownload: (shareId: string): Promise<void> => store.countDownload(shareId),
  }
}

export type SharingService = ReturnType<typeof createSharing>

/** The id of the share key, once the envelope is known to be of this file and of no other. */
function requireSameFile(wrappedKey: string, ownersKey: string): string {
  const shared = requireEnvelope(wrappedKey, 'share')
  const owned = readEnvelope(ownersKey)
  const isSame = owned && equal(shared.encodedHeader, owned.encodedHeader) && equal(shared.commit, owned.commit)
  if (!isSame) throw refuse('ENVELOPE_KIND')
  return keyIdText(shared.keyId)
}

const equal = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

function guessKeyId(wrappedKey: string): string {
  const envelope = readEnvelope(wrappedKey)
  return envelope ? keyIdText(envelope.keyId) : hashOf(wrappedKey)
}
