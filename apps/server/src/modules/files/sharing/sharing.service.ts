import { createHmac, randomUUIDv7, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import { shareLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { keyIdText } from '@sallyport/crypto/envelope'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { hashToken } from '../../../token-hash.ts'
import { readEnvelope, requireEnvelope } from '../uploads/file-checks.ts'
import { meterStream } from './metered-stream.ts'
import { sliceBytes } from './share-budget.rules.ts'
import type { Claim, CountedDownload, ShareClaimsStore } from './share-claims.store.ts'
import type { Share, SharedFile, ShareOptions, SharesStore } from './shares.store.ts'

const tokenCharacters = 22

interface SharingServiceDeps
  extends Pick<ServerContext, 'rateLimiter' | 'publishToAccount' | 'recordActivity' | 'now' | 'strict' | 'onError'> {
  readonly store: SharesStore
  readonly claims: ShareClaimsStore
  /** Derives the tokens of shares. */
  readonly secret: Buffer
  /** How often the slots of downloads in progress are extended. */
  readonly extendEveryMs?: number | undefined
}

interface CreateShareInput {
  readonly ownerId: string
  readonly fileId: string
  /** The file key, wrapped with a share key that the server never sees. */
  readonly wrappedKey: string
  readonly proof: string | undefined
  readonly options: ShareOptions
}

interface MeterInput {
  readonly file: SharedFile
  readonly claim: Claim
  readonly totalBytes: number
  readonly signal: AbortSignal
}

/** A share as its owner sees it. */
export interface OwnShare extends Omit<Share, 'id'> {
  readonly shareUrl: string
}

/** Shares of files: links that give strangers the sealed bytes and a wrapped key that only the link opens. */
export function createSharingService(deps: SharingServiceDeps) {
  const { store, claims, secret, rateLimiter, publishToAccount, recordActivity, now, strict, onError } = deps
  const { extendEveryMs = shareLimits.extendLeaseEveryMs } = deps
  const toOwnShare = ({ id, ...share }: Share): OwnShare => ({ shareUrl: `/s/${tokenOf(secret, id)}`, ...share })

  /** Requests in progress at this node on limited shares, by claim. */
  const openRequests = new Map<string, { count: number; readonly timer: NodeJS.Timeout }>()

  /** Extends the slot while a request is in progress, even when another node has shortened it. */
  function startRequest(claim: Claim): void {
    const open = openRequests.get(claim.claimHash)
    if (open) {
      open.count += 1
      return
    }
    const extend = () => void claims.extendSlot(claim, now() + shareLimits.leaseMs).catch(onError)
    openRequests.set(claim.claimHash, { count: 1, timer: setInterval(extend, extendEveryMs).unref() })
  }

  async function requireFile(ownerId: string, fileId: string): Promise<string> {
    const wrappedKey = await store.findWrappedKey(ownerId, fileId, now())
    if (wrappedKey === null) throw apiError('FILE_NOT_FOUND')
    return wrappedKey
  }

  function handleCountedDownload(counted: CountedDownload | null): void {
    if (!counted) return
    const { ownerId, fileId, downloads, plainBytes } = counted
    publishToAccount(ownerId, { type: 'file.changed', id: fileId, downloads })
    recordActivity(ownerId, { action: 'share-download', files: 1, bytes: plainBytes })
  }

  return {
    /** Returns the share of the file for this share key, creating it if necessary. */
    async share({ ownerId, fileId, wrappedKey, proof, options }: CreateShareInput): Promise<OwnShare> {
      const ownersKey = await requireFile(ownerId, fileId)
      const keyId = strict ? requireSameFile(wrappedKey, ownersKey) : looseKeyId(wrappedKey)
      const id = randomUUIDv7()
      const share = await store.add(fileId, shareLimits.perFile, {
        id,
        tokenHash: hashToken(tokenOf(secret, id)),
        keyId,
        wrappedKey,
        proofHash: proof === undefined ? null : hashToken(proof),
        createdAt: now(),
        options,
      })
      if (!share) throw apiError('TOO_MANY_SHARES')
      publishToAccount(ownerId, { type: 'file.changed', id: fileId, shared: true })
      if (share.id === id) recordActivity(ownerId, { action: 'share', files: 1 })
      return toOwnShare(share)
    },

    async findNewest(ownerId: string, fileId: string): Promise<OwnShare> {
      await requireFile(ownerId, fileId)
      const share = await store.findNewest(fileId)
      if (share === null) throw apiError('NOT_SHARED')
      return toOwnShare(share)
    },

    async revoke(ownerId: string, fileId: string): Promise<void> {
      await requireFile(ownerId, fileId)
      if (!(await store.removeAll(ownerId, fileId))) throw apiError('NOT_SHARED')
      publishToAccount(ownerId, { type: 'file.changed', id: fileId, shared: false })
    },

    /** Throws unless the share has downloads left. */
    requireDownloadsLeft({ downloads, maxDownloads }: SharedFile): void {
      if (maxDownloads !== null && downloads >= maxDownloads) throw apiError('SHARE_NOT_FOUND')
    },

    /** Finds the file of a token. Only misses count, per address block. */
    async find(token: string, address: string): Promise<SharedFile> {
      const key = `share-miss:${address}`
      await rateLimiter.require(key, rateLimits.shareMissesPerAddress)
      const file = await store.findFile(hashToken(token), now())
      if (!file) throw apiError('SHARE_NOT_FOUND')
      await rateLimiter.refund(key)
      return file
    },

    /** Throws for callers that know the token of a share but not its whole link. */
    requireProof({ proofHash }: SharedFile, proof: string | undefined): void {
      if (proofHash !== null && !isValidProof(proof, proofHash)) throw apiError('SHARE_PROOF_REQUIRED')
    },

    /** Throws for a download that the share no longer allows; else holds a slot for it until it ends. */
    async begin({ maxDownloads, sealedBytes }: SharedFile, claim: Claim, askedBytes: number): Promise<void> {
      if (maxDownloads === null) return
      const at = now()
      const slot = await claims.holdSlot({
        ...claim,
        now: at,
        heldUntil: at + shareLimits.leaseMs,
        sealedBytes,
        askedBytes,
      })
      if (slot === 'used-up') throw apiError('SHARE_NOT_FOUND')
      if (slot === 'busy') throw apiError('SHARE_BUSY')
      startRequest(claim)
    },

    /**
     * Ends a request. After the last one of its claim, other claims get the slot after a short while unless it is
     * resumed.
     */
    async end(claim: Claim): Promise<void> {
      const open = openRequests.get(claim.claimHash)
      if (open && open.count > 1) {
        open.count -= 1
        return
      }
      clearInterval(open?.timer)
      openRequests.delete(claim.claimHash)
      await claims.shortenSlot(claim, now() + shareLimits.leaseAfterDisconnectMs)
    },

    /** Counts a download whose last byte was sent. */
    async count(claim: Claim): Promise<void> {
      handleCountedDownload(await claims.countDownload(claim, now()))
    },

    /** Returns the same stream, limited to the bytes that the share allows. */
    meter(stream: Readable, { file, claim, totalBytes, signal }: MeterInput): Readable {
      const { sealedBytes } = file
      return meterStream(stream, {
        async reserve(bytes) {
          const grant = await claims.reserveBytes({ ...claim, bytes, sealedBytes, now: now() })
          handleCountedDownload(grant.counted)
          return grant.bytes
        },
        release: (bytes) => claims.releaseBytes(claim, bytes),
        sliceBytes: sliceBytes(sealedBytes),
        totalBytes,
        signal,
        onExhausted: () => apiError('SHARE_NOT_FOUND'),
      })
    },
  }
}

export type SharingService = ReturnType<typeof createSharingService>

/** Returns the id of the share key, after checking that the envelope is of this file. */
function requireSameFile(wrappedKey: string, ownersKey: string): string {
  const shared = requireEnvelope(wrappedKey, 'share')
  const owned = readEnvelope(ownersKey)
  const isSame =
    owned && bytesEqual(shared.encodedHeader, owned.encodedHeader) && bytesEqual(shared.commit, owned.commit)
  if (!isSame) throw apiError('ENVELOPE_KIND')
  return keyIdText(shared.keyId)
}

const bytesEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

function looseKeyId(wrappedKey: string): string {
  const envelope = readEnvelope(wrappedKey)
  return envelope ? keyIdText(envelope.keyId) : hashToken(wrappedKey)
}

/** The token of a share, derived so that only its hash is stored and the owner can still see it again. */
const tokenOf = (secret: Buffer, shareId: string): string =>
  createHmac('sha256', secret).update(shareId).digest('base64url').slice(0, tokenCharacters)

/** Whether a proof is the one that the share was created with; takes constant time. */
const isValidProof = (proof: string | undefined, proofHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(proof ?? '')), Buffer.from(proofHash))
