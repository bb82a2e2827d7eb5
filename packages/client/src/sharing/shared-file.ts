import { shareHeaders, sharing } from '@sallyport/contract/sharing'
import {
  CryptoError,
  decodeShareFragment,
  type FileKeys,
  openEnvelope,
  openName,
  shareProof,
  toBase64url,
} from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { ClientError } from '../errors.ts'

export interface ShareLink {
  readonly origin: string
  readonly token: string
  readonly shareKey: Uint8Array
}

/** Parses a share link, also one that mail or chat programs have changed: the checksum of its key decides. */
export async function parseShareLink(link: string): Promise<ShareLink> {
  try {
    return await readShareLink(link)
  } catch (error) {
    // Loaded for changed links only.
    const repair = await import('./repair-share-link.ts').catch(() => null)
    if (!repair) throw error
    return readShareLink(repair.repairShareLink(link))
  }
}

async function readShareLink(link: string): Promise<ShareLink> {
  if (!URL.canParse(link)) throw new ClientError('SHARE_LINK_INVALID')
  const { origin, pathname, hash } = new URL(link)
  const token = /^\/s\/([\w-]+)\/?$/.exec(pathname)?.[1]
  if (!token) throw new ClientError('SHARE_LINK_INVALID')
  if (hash.length < 2) throw new ClientError('SHARE_LINK_INCOMPLETE')
  try {
    return { origin, token, shareKey: await decodeShareFragment(hash.slice(1)) }
  } catch (error) {
    const isCut = error instanceof CryptoError && error.code === 'truncated'
    throw new ClientError(isCut ? 'SHARE_LINK_INCOMPLETE' : 'SHARE_LINK_INVALID', { cause: error })
  }
}

const claimBytes = 16

/** The target of a link, with everything that its download needs. */
export interface SharedFile {
  readonly token: string
  /** Proves to the server that the client has the whole link, without revealing its key. */
  readonly proof: string
  /** Groups all requests with it into one counted download. */
  readonly claim: string
  readonly keys: FileKeys
  readonly name: string
  readonly mimeType: string
  /** Epoch milliseconds. */
  readonly lastModified: number
  readonly plainBytes: number
  /** Epoch milliseconds; null when the server does not send it. */
  readonly expiresAt: number | null
}

/** Gets the metadata of a shared file without its contents. The key is not sent. */
export async function getSharedFile(call: Call, { token, shareKey }: Omit<ShareLink, 'origin'>): Promise<SharedFile> {
  const { headers } = await call(sharing.getMetadata, { params: { token } })
  const keys = await openShareKey(headers.get(shareHeaders.wrappedKey), shareKey)
  const recordBytes = headers.get(shareHeaders.recordBytes)
  if (recordBytes !== null && recordBytes !== String(keys.header.recordBytes)) {
    throw new ClientError('RECORD_SIZE_MISMATCH')
  }
  const expiresAt = Number(headers.get(shareHeaders.expiresAt) ?? Number.NaN)
  return {
    token,
    proof: toBase64url(await shareProof(shareKey)),
    claim: toBase64url(crypto.getRandomValues(new Uint8Array(claimBytes))),
    keys,
    ...(await openSharedName(headers.get('Content-Disposition'), keys)),
    plainBytes: keys.header.plainBytes,
    expiresAt: Number.isSafeInteger(expiresAt) ? expiresAt : null,
  }
}

async function openShareKey(envelope: string | null, shareKey: Uint8Array): Promise<FileKeys> {
  try {
    return (await openEnvelope({ envelope: envelope ?? '', root: shareKey, wrapType: 'share' })).keys
  } catch (error) {
    if (error instanceof CryptoError && error.code === 'wrong-key')
      throw new ClientError('SHARE_LINK_INVALID', { cause: error })
    throw error instanceof CryptoError ? new ClientError('SHARE_KEY_MISSING', { cause: error }) : error
  }
}

/** A name that was swapped or altered is not shown; the file is verified independently of it. */
async function openSharedName(disposition: string | null, keys: FileKeys) {
  const sealedName = /filename="([^"]*)"/.exec(disposition ?? '')?.[1] ?? ''
  try {
    return await openName(sealedName, keys)
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error
    return { name: 'Unreadable name', mimeType: '', lastModified: 0 }
  }
}
