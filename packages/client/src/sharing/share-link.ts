import { sharing } from '@sallyport/contract/sharing'
import {
  CryptoError,
  deriveShareKey,
  type FileKeys,
  type RootKey,
  shareProof,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { ApiError, ClientError, type ShareStep } from '../errors.ts'
import { getWrappedKey, type OwnFileKeyInput, openOwnFileKey } from '../own-file-key.ts'
import { buildShareLink } from './share-address.ts'
import { type LabelContext, openLabel, sealLabel } from './share-label.ts'

/** One of the caller's own files. */
export interface FileToShare extends OwnFileKeyInput {
  readonly accountKey: RootKey
  /** Origin of the link, such as `https://files.example.org`. The server cannot choose it. */
  readonly origin: string
}

/** A share as its owner sees it. */
export interface OwnShare {
  /** The complete link, key included. */
  readonly link: string
  readonly downloads: number
  /** Epoch milliseconds. */
  readonly lastDownloadAt: number | null
  readonly maxDownloads: number | null
  /** Empty if there is none. */
  readonly label: string
}

/** Omitted fields stay unchanged. */
export interface UpdateShareInput {
  readonly maxDownloads?: number | null
  readonly label?: string
}

/** Returns the complete link to a file: the key after # was derived here and has not been sent anywhere. */
export async function shareFile(call: Call, file: FileToShare): Promise<string> {
  return (await createOrUpdateShare(call, file)).link
}

/** Shares a file, or finds its existing share, and applies the owner's changes. */
export async function createOrUpdateShare(
  call: Call,
  file: FileToShare,
  changes: UpdateShareInput = {},
): Promise<OwnShare> {
  const { fileKey, keys } = await openFileKey(call, file)
  const labelContext = { accountKey: file.accountKey, keys }
  const shareKey = await deriveShareKey(file.accountKey, keys.header.fileUid)
  const body = {
    shareEncryptedFileKey: await wrapFileKey({ fileKey, keys, root: shareKey, wrapType: 'share' }),
    shareProof: toBase64url(await shareProof(shareKey)),
    maxDownloads: changes.maxDownloads,
    label: await sealChangedLabel(changes.label, labelContext),
  }
  fileKey.fill(0)
  const reply = await inShareStep('create', call(sharing.share, { params: { id: file.id }, body }))
  return {
    link: await buildShareLink({ shareUrl: reply.shareUrl, origin: file.origin, shareKey }),
    downloads: reply.downloads,
    lastDownloadAt: reply.lastDownloadAt,
    maxDownloads: reply.maxDownloads,
    label: await openLabelOrEmpty(reply.label, labelContext),
  }
}

async function openFileKey(call: Call, file: FileToShare) {
  const envelope = await inShareStep('get-key', getWrappedKey(call, file))
  if (envelope === '') throw new ClientError('NO_KEY_TO_SHARE')
  try {
    return await openOwnFileKey(envelope, file, file.accountKey)
  } catch (error) {
    const isServerKey = file.encryptedFileKey === undefined && error instanceof CryptoError
    throw isServerKey ? new ClientError('NO_KEY_TO_SHARE', { cause: error }) : error
  }
}

/** Revokes every link to a file. */
export async function stopSharing(call: Call, fileId: string): Promise<void> {
  await call(sharing.revoke, { params: { id: fileId } })
}

async function sealChangedLabel(
  text: string | undefined,
  labelContext: LabelContext,
): Promise<string | null | undefined> {
  return text === undefined ? undefined : text === '' ? null : sealLabel(text, labelContext)
}

/** Returns an empty label for one that cannot be opened, so that the owner still gets the link. */
async function openLabelOrEmpty(label: string | null, labelContext: LabelContext): Promise<string> {
  return label === null ? '' : openLabel(label, labelContext).catch(() => '')
}

/** Returns the link of an existing share, or null if the file is not shared. Sends nothing but the file's id. */
export async function findShareLink(call: Call, file: FileToShare, keys: FileKeys): Promise<string | null> {
  try {
    const { shareUrl } = await inShareStep('get-address', call(sharing.address, { params: { id: file.id } }))
    const shareKey = await deriveShareKey(file.accountKey, keys.header.fileUid)
    return await buildShareLink({ shareUrl, origin: file.origin, shareKey })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_SHARED') return null
    throw error
  }
}

async function inShareStep<T>(shareStep: ShareStep, pending: Promise<T>): Promise<T> {
  try {
    return await pending
  } catch (error) {
    throw error instanceof ApiError ? new ApiError({ ...error, shareStep }) : error
  }
}
