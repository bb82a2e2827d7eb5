import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type FileKeys,
  type Root,
  sealName,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import { type FileSource, fullNameOf } from './file-source.ts'
import type { KeptUpload, Resumption } from './journal.ts'
import { accountPlace, kindsOf, mayBeSingle, type UploadPlace } from './place.ts'
import { planUpload, type UploadPlan } from './plan.ts'

interface NewUpload {
  readonly place?: UploadPlace | undefined
  readonly file: FileSource
  readonly accountKey: Root | Promise<Root>
  readonly expirationMinutes?: number | undefined
  readonly availableMemoryBytes?: number | undefined
}

/** Everything about an upload that stays the same while it runs; holds no file key, only what was derived from it. */
export interface PreparedUpload {
  readonly place: UploadPlace
  readonly uploadId: string
  readonly keys: FileKeys
  /** Of the file as it was when the upload began, in epoch milliseconds. */
  readonly lastModified: number
  readonly sealedName: string
  readonly envelope: string
  readonly plan: UploadPlan
  readonly expirationMinutes: number | undefined
}

/** An upload that was noted while it waited. Nothing of it has reached the server. */
export interface NotedUpload extends Resumption {
  readonly upload: PreparedUpload
}

/** A fresh id, header and file key each time, even for the same file. Throws where the random generator is broken. */
export async function prepareUpload(upload: NewUpload): Promise<PreparedUpload> {
  const { file, accountKey, expirationMinutes, availableMemoryBytes, place = accountPlace } = upload
  const { kind, wrapType } = kindsOf(place)
  const { lastModified } = file
  const root = await accountKey
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind, plainBytes: file.size }))
  const [envelope, sealedName] = await Promise.all([
    wrapFileKey({ fileKey, keys, root, wrapType }),
    sealName({ name: fullNameOf(file), mimeType: shortType(file.type), lastModified }, keys),
  ])
  fileKey.fill(0)
  return {
    place,
    uploadId: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    keys,
    lastModified,
    sealedName,
    envelope,
    plan: planUpload(keys.header, { availableMemoryBytes, mayBeSingle: mayBeSingle(place) }),
    expirationMinutes,
  }
}

/** A type too long for its place in a sealed name helps nobody. */
const shortType = (type: string): string => (type.length <= 127 ? type : '')

/** What has to be kept of an upload to take it up again. */
export const keptOf = ({ uploadId, envelope, sealedName, plan, expirationMinutes }: PreparedUpload): KeptUpload => ({
  uploadId,
  envelope,
  sealedName,
  chunkBytes: plan.chunkBytes,
  expirationMinutes,
})
