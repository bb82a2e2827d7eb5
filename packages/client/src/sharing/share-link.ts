import { sharing } from '@sallyport/contract/sharing'
import {
  CryptoError,
  deriveShareKey,
  type FileKeys,
  type Root,
  shareProof,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { shareTexts } from '../download/texts.ts'
import { ApiError } from '../errors.ts'
import { type OwnFileKey, openOwnKey, wrappedKeyOf } from '../own-file-key.ts'
import { writeShareLink } from './share-address.ts'
import { type LabelPlace, openLabel, sealLabel } from './share-label.ts'

/** One of the caller's own files. */
export interface FileToShare extends OwnFileKey {
  readonly accountKey: Root
  /** Where the link leads, such as `https://files.example.org`. The server has no say in it. */
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
  const { fileKey, keys } = await openChosenFile(call, file)
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
    link: await writeShareLink({ shareUrl: shared.shareUrl, origin: file.origin, shareKey }),
    downloads: shared.downloads,
    lastDownloadAt: shared.lastDownloadAt,
    maxDownloads: shared.maxDownloads,
    label: await readLabel(shared.label, place),
  }
}

async function openChosenFile(call: Call, file: FileToShare) {
  const envelope = await inShareWords(shareTexts.keyStatus, wrappedKeyOf(call, file))
  if (envelope === '') throw new Error(shareTexts.noKeyToShare)
  try {
    return await openOwnKey(envelope, file, file.accountKey)
  } catch (error) {
    const isAnswered = file.encryptedFileKey === undefined && error instanceof CryptoError
    throw isAnswered ? new Error(shareTexts.noKeyToShare, { cause: error }) : error
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
    return await writeShareLink({ shareUrl, origin: file.origin, shareKey })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_SHARED') return null
    throw error instanceof ApiError
      ? new ApiError({ ...error, message: shareTexts.addressStatus(error.status) })
      : error
  }
}

async function inShareWords<T>(say: (status: number) => string, calling: Promise<T>): Promise<T> {
  try {
    return await calling
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError({ ...error, message: error.code === 'TOO_MANY_SHARES' ? shareTexts.tooMany : say(error.status) })
  }
}
