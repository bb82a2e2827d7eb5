import { randomUUIDv7 } from 'node:crypto'
import type { Readable } from 'node:stream'
import { shareLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { keyIdText } from '@sallyport/crypto/envelope'
import { refuse } from '../errors.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { Announce } from '../live/announce.ts'
import { hashOfToken } from '../token-hash.ts'
import { readEnvelope, requireEnvelope } from '../uploads/sealed-form.ts'
import { meterStream } from './metered-stream.ts'
import { sliceBytes } from './share-budget.rules.ts'
import type { Claim, CountedDownload, ShareClaimsStore } from './share-claims.store.ts'
import { isProof, tokenOf } from './share-token.ts'
import type { Share, SharedFile, ShareOptions, SharesStore } from './shares.store.ts'

interface Parts {
  readonly store: SharesStore
  readonly claims: ShareClaimsStore
  /** Makes the tokens of shares. */
  readonly secret: Buffer
  readonly attempts: Attempts
  readonly announce: Announce
  readonly now: () => number
  /** Refuse wrapped keys that are not envelopes of the very file. */
  readonly strict: boolean
  readonly onError: (error: Error) => void
  /** How often the places of downloads under way are held for longer. */
  readonly extendEveryMs?: number
}

interface Sharing {
  readonly ownerId: string
  readonly fileId: string
  /** The file's key, wrapped with a share key the server never sees. */
  readonly wrappedKey: string
  readonly proof: string | undefined
  readonly options: ShareOptions
}

interface Metering {
  readonly file: SharedFile
  readonly claim: Claim
  readonly totalBytes: number
  readonly signal: AbortSignal
}

/** A share as its owner sees it. */
export interface OwnShare extends Omit<Share, 'id'> {
  readonly shareUrl: string
}

/** Shares of files: addresses that lead strangers to sealed bytes and to a key that only the link opens. */
export function createSharing(parts: Parts) {
  const { store, claims, secret, attempts, announce, now, strict, onError } = parts
  const { extendEveryMs = shareLimits.extendPlaceEveryMs } = parts
  const present = ({ id, ...share }: Share): OwnShare => ({ shareUrl: `/s/${tokenOf(secret, id)}`, ...share })

  /** Requests under way at this node on limited shares, by claim. */
  const requests = new Map<string, { count: number; readonly extending: NodeJS.Timeout }>()

  /** While a request is under way, its place does not lapse, even where another node has shortened it. */
  function enter(claim: Claim): void {
    const open = requests.get(claim.claimHash)
    if (open) {
      open.count += 1
      return
    }
    const extend = () => void claims.extend(claim, now() + shareLimits.placeMs).catch(onError)
    requests.set(claim.claimHash, { count: 1, extending: setInterval(extend, extendEveryMs).unref() })
  }

  async function requireFile(ownerId: string, fileId: string): Promise<string> {
    const wrappedKey = await store.findWrappedKey(ownerId, fileId, now())
    if (wrappedKey === null) throw refuse('FILE_NOT_FOUND')
    return wrappedKey
  }

  function announceCounted(counted: CountedDownload | null): void {
    if (!counted) return
    const { ownerId, fileId, downloads } = counted
    announce(ownerId, { type: 'file.changed', id: fileId, downloads })
  }

  return {
    /** The share of the file under this share key; asked again for the same key, the same. */
    async share({ ownerId, fileId, wrappedKey, proof, options }: Sharing): Promise<OwnShare> {
      const ownersKey = await requireFile(ownerId, fileId)
      const keyId = strict ? requireSameFile(wrappedKey, ownersKey) : guessKeyId(wrappedKey)
      const id = randomUUIDv7()
      const share = await store.add(fileId, shareLimits.perFile, {
        id,
        tokenHash: hashOfToken(tokenOf(secret, id)),
        keyId,
        wrappedKey,
        proofHash: proof === undefined ? null : hashOfToken(proof),
        createdAt: now(),
        options,
      })
      if (!share) throw refuse('TOO_MANY_SHARES')
      announce(ownerId, { type: 'file.changed', id: fileId, shared: true })
      return present(share)
    },

    async findNewest(ownerId: string, fileId: string): Promise<OwnShare> {
      await requireFile(ownerId, fileId)
      const share = await store.findNewest(fileId)
      if (share === null) throw refuse('NOT_SHARED')
      return present(share)
    },

    async revoke(ownerId: string, fileId: string): Promise<void> {
      await requireFile(ownerId, fileId)
      if (!(await store.removeAll(ownerId, fileId))) throw refuse('NOT_SHARED')
      announce(ownerId, { type: 'file.changed', id: fileId, shared: false })
    },

    /** Looks whether there is anything left to take. */
    requireLeft({ downloads, maxDownloads }: SharedFile): void {
      if (maxDownloads !== null && downloads >= maxDownloads) throw refuse('SHARE_NOT_FOUND')
    },

    /** The file behind a token. Only misses are counted, against the block of addresses they come from. */
    async find(token: string, address: string): Promise<SharedFile> {
      const key = `share-miss:${address}`
      const verdict = await attempts.allow(key, rateLimits.shareMissesPerAddress)
      if (!verdict.allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds })
      const file = await store.findFile(hashOfToken(token), now())
      if (!file) throw refuse('SHARE_NOT_FOUND')
      await attempts.forgive(key)
      return file
    },

    /** Refuses whoever knows the address of a share but not its whole link. */
    requireProof({ proofHash }: SharedFile, proof: string | undefined): void {
      if (proofHash !== null && !isProof(proof, proofHash)) throw refuse('SHARE_PROOF_REQUIRED')
    },

    /** Refuses a download that the share does not allow any more; else keeps its place until it has ended. */
    async begin({ maxDownloads, sealedBytes }: SharedFile, claim: Claim, askedBytes: number): Promise<void> {
      if (maxDownloads === null) return
      const at = now()
      const place = await claims.hold({
        ...claim,
        now: at,
        heldUntil: at + shareLimits.placeMs,
        sealedBytes,
        askedBytes,
      })
      if (place === 'used-up') throw refuse('SHARE_NOT_FOUND')
      if (place === 'busy') throw refuse('SHARE_BUSY')
      enter(claim)
    },

    /** A request has ended. With the last one of its claim, others may begin after a short while unless it is resumed. */
    async leave(claim: Claim): Promise<void> {
      const open = requests.get(claim.claimHash)
      if (open && open.count > 1) {
        open.count -= 1
        return
      }
      clearInterval(open?.extending)
      requests.delete(claim.claimHash)
      await claims.shorten(claim, now() + shareLimits.placeAfterCutMs)
    },

    /** The last byte of a download has gone out. */
    async count(claim: Claim): Promise<void> {
      announceCounted(await claims.count(claim, now()))
    },

    /** The same bytes, none of which is sent before the limit of the share allows it. */
    meter(stream: Readable, { file, claim, totalBytes, signal }: Metering): Readable {
      const { sealedBytes } = file
      return meterStream(stream, {
        async take(bytes) {
          const grant = await claims.take({ ...claim, bytes, sealedBytes, now: now() })
          announceCounted(grant.counted)
          return grant.bytes
        },
        giveBack: (bytes) => claims.giveBack(claim, bytes),
        sliceBytes: sliceBytes(sealedBytes),
        totalBytes,
        signal,
        onExhausted: () => refuse('SHARE_NOT_FOUND'),
      })
    },
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
  return envelope ? keyIdText(envelope.keyId) : hashOfToken(wrappedKey)
}
