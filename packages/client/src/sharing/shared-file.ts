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
import { inDownloadWords, networkFailure } from '../download/failures.ts'
import { downloadTexts, shareTexts } from '../download/texts.ts'
import { ApiError, NetworkError } from '../errors.ts'

/** What is wrong with a link, found out before anything is asked of a server. */
export class ShareLinkError extends Error {
  override readonly name = 'ShareLinkError'
  /** `incomplete` when the part after # is missing or cut. */
  readonly reason: 'incomplete' | 'invalid'

  constructor(reason: 'incomplete' | 'invalid', options?: ErrorOptions) {
    super(shareTexts[reason], options)
    this.reason = reason
  }
}

export interface ShareLink {
  readonly origin: string
  readonly token: string
  readonly shareKey: Uint8Array
}

/** Takes a share link apart, also one whose # a mail or chat program has turned into %23. */
export async function openShareLink(url: string): Promise<ShareLink> {
  const { origin, pathname, hash } = parseLink(url)
  const token = /^\/s\/([^/]+)\/?$/.exec(pathname)?.[1]
  if (!token) throw new ShareLinkError('invalid')
  if (hash.length < 2) throw new ShareLinkError('incomplete')
  try {
    return { origin, token: decodeURIComponent(token), shareKey: await decodeShareFragment(hash.slice(1)) }
  } catch (error) {
    const isCut = error instanceof CryptoError && error.code === 'truncated'
    throw new ShareLinkError(isCut ? 'incomplete' : 'invalid', { cause: error })
  }
}

function parseLink(url: string): URL {
  const mended = url.includes('#') ? url : url.replace(/%(25)*23/i, '#')
  if (!URL.canParse(mended.trim())) throw new ShareLinkError('invalid')
  return new URL(mended.trim())
}

const claimBytes = 16

/** What a link leads to, with everything that downloading it takes. */
export interface SharedFile {
  readonly token: string
  /** Shows the server that the whole link is at hand, without showing its key. */
  readonly proof: string
  /** Makes one download of everything that is asked for under it. */
  readonly claim: string
  readonly keys: FileKeys
  readonly name: string
  readonly mimeType: string
  /** Epoch milliseconds. */
  readonly lastModified: number
  readonly plainBytes: number
  /** Epoch milliseconds; null when the server does not say. */
  readonly expiresAt: number | null
}

/** Asks what a link leads to, without a byte of the file. Nothing of the key leaves. */
export async function lookAtShare(call: Call, { token, shareKey }: Omit<ShareLink, 'origin'>): Promise<SharedFile> {
  const { headers } = await askAboutShare(call, token)
  const keys = await openShareKey(headers.get(shareHeaders.wrappedKey), shareKey)
  const recordBytes = headers.get(shareHeaders.recordBytes)
  if (recordBytes !== null && recordBytes !== String(keys.header.recordBytes)) {
    throw new Error(downloadTexts.otherRecordSize)
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

async function askAboutShare(call: Call, token: string): Promise<Response> {
  try {
    return await call(sharing.look, { params: { token } })
  } catch (error) {
    if (error instanceof ApiError) throw inDownloadWords(error, 'share')
    throw error instanceof NetworkError ? networkFailure(error) : error
  }
}

async function openShareKey(envelope: string | null, shareKey: Uint8Array): Promise<FileKeys> {
  try {
    return (await openEnvelope({ envelope: envelope ?? '', root: shareKey, wrapType: 'share' })).keys
  } catch (error) {
    if (error instanceof CryptoError && error.code === 'wrong-key')
      throw new ShareLinkError('invalid', { cause: error })
    throw error instanceof CryptoError ? new Error(shareTexts.noKey, { cause: error }) : error
  }
}

/** A name that was exchanged or altered is not shown; the file itself is verified apart from it. */
async function openSharedName(disposition: string | null, keys: FileKeys) {
  const sealedName = /filename="([^"]*)"/.exec(disposition ?? '')?.[1] ?? ''
  try {
    return await openName(sealedName, keys)
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error
    return { name: 'Unreadable name', mimeType: '', lastModified: 0 }
  }
}
