import { files } from '@sallyport/contract/files'
import { shareHeaders, sharing } from '@sallyport/contract/sharing'
import {
  CryptoError,
  decodeShareFragment,
  deriveShareKey,
  encodeShareFragment,
  type FileKeys,
  openEnvelope,
  openName,
  type Root,
  shareProof,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import type { Call } from './call.ts'
import { inDownloadWords, networkFailure } from './download/failures.ts'
import { downloadTexts, shareTexts } from './download/texts.ts'
import { ApiError, NetworkError } from './errors.ts'
import { type LabelPlace, openLabel, sealLabel } from './share-label.ts'

/** One of the caller's own files. */
export interface FileToShare {
  readonly id: string
  readonly encryptedFileKey?: string | undefined
  readonly accountKey: Root
  /** Where the link leads, such as `https://files.example.org`, unless the server names another place. */
  readonly origin: string
}

/** A link as its owner sees it. */
export interface OwnShare {
  /** Whole, with its key. */
  readonly link: string
  readonly downloads: number
  /** Epoch milliseconds. */
  readonly lastDownloadAt: number | null
  readonly maxDownloads: number | null
  /** Empty while there is none. */
  readonly label: string
}

/** What is left out stays as it was. */
export interface ShareChange {
  readonly maxDownloads?: number | null
  readonly label?: string
}

/** The whole link to a file, key included: the part after # was made here and has not been sent anywhere. */
export async function shareFile(call: Call, file: FileToShare): Promise<string> {
  return (await openShare(call, file)).link
}

/** Shares a file, or finds the share it has already, and changes what its owner says about it. */
export async function openShare(call: Call, file: FileToShare, change: ShareChange = {}): Promise<OwnShare> {
  const envelope = file.encryptedFileKey ?? (await inShareWords(shareTexts.keyStatus, askForKey(call, file.id)))
  if (envelope === '') throw new Error(shareTexts.noKeyToShare)
  const { fileKey, keys } = await openEnvelope({ envelope, root: file.accountKey, wrapType: 'account' })
  const place = { accountKey: file.accountKey, keys }
  const shareKey = await deriveShareKey(file.accountKey, keys.header.fileUid)
  const body = {
    shareEncryptedFileKey: await wrapFileKey({ fileKey, keys, root: shareKey, wrapType: 'share' }),
    shareProof: toBase64url(await shareProof(shareKey)),
    maxDownloads: change.maxDownloads,
    label: await changedLabel(change.label, place),
  }
  fileKey.fill(0)
  const shared = await inShareWords(shareTexts.createStatus, call(sharing.share, { params: { id: file.id }, body }))
  return {
    link: await writeLink({ shareUrl: shared.shareUrl, origin: file.origin, shareKey }),
    downloads: shared.downloads,
    lastDownloadAt: shared.lastDownloadAt,
    maxDownloads: shared.maxDownloads,
    label: await readLabel(shared.label, place),
  }
}

/** Ends every link to a file. */
export async function stopSharing(call: Call, fileId: string): Promise<void> {
  await call(sharing.revoke, { params: { id: fileId } })
}

async function changedLabel(text: string | undefined, place: LabelPlace): Promise<string | null | undefined> {
  return text === undefined ? undefined : text === '' ? null : sealLabel(text, place)
}

/** A label that cannot be opened is no reason to keep the link from its owner. */
async function readLabel(label: string | null, place: LabelPlace): Promise<string> {
  return label === null ? '' : openLabel(label, place).catch(() => '')
}

/** The link to a file that is already shared, the same as when it was; null when it is not. Takes nothing but its id along. */
export async function findShareLink(call: Call, file: FileToShare, keys: FileKeys): Promise<string | null> {
  try {
    const { shareUrl } = await call(sharing.address, { params: { id: file.id } })
    const shareKey = await deriveShareKey(file.accountKey, keys.header.fileUid)
    return await writeLink({ shareUrl, origin: file.origin, shareKey })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_SHARED') return null
    throw error instanceof ApiError
      ? new ApiError({ ...error, message: shareTexts.addressStatus(error.status) })
      : error
  }
}

const askForKey = async (call: Call, id: string): Promise<string> =>
  (await call(files.key, { params: { id } })).encryptedFileKey

async function inShareWords<T>(say: (status: number) => string, calling: Promise<T>): Promise<T> {
  try {
    return await calling
  } catch (error) {
    throw error instanceof ApiError ? new ApiError({ ...error, message: say(error.status) }) : error
  }
}

interface Link {
  readonly shareUrl: string
  readonly origin: string
  readonly shareKey: Uint8Array
}

async function writeLink({ shareUrl, origin, shareKey }: Link): Promise<string> {
  const link = new URL(shareUrl, origin)
  link.hash = await encodeShareFragment(shareKey)
  return link.href
}

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
