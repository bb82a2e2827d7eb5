import * as z from 'zod/mini'
import { bytes, endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded, WrappedFileKey } from './fields.ts'
import { shareLimits } from './limits.ts'

const FileParams = z.object({ id: Id })
const ShareParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/** The owner's private label, sealed: a wrapped key and a padded text, each in base64url. */
const SealedLabel = z.string().check(z.regex(/^[A-Za-z0-9_-]{155}\.[A-Za-z0-9_-]{123,1023}$/))

const DownloadLimit = z.int().check(z.gte(1), z.lte(shareLimits.maxDownloads))

const ShareState = z.object({
  success: Succeeded,
  shareUrl: z.string(),
  /** How many times the whole file was downloaded by this link. */
  downloads: z.int(),
  lastDownloadAt: z.nullable(EpochMs),
  /** Null if there is no limit. */
  maxDownloads: z.nullable(z.int()),
  label: z.nullable(z.string()),
})
export type ShareState = z.output<typeof ShareState>

/** Headers of a share's response with what an anonymous page needs before it requests bytes. */
export const shareHeaders = {
  wrappedKey: 'X-Share-Encrypted-File-Key',
  expiresAt: 'X-Expires-At',
  recordBytes: 'X-Chunk-Size',
  proof: 'X-Share-Proof',
  claim: 'X-Share-Claim',
} as const

export const sharing = {
  share: endpoint({
    method: 'POST',
    path: '/api/file/:id/share-zk',
    summary: 'Share one of my files; its key is wrapped with a key that the server never sees',
    access: 'account',
    params: FileParams,
    body: z.object({
      shareEncryptedFileKey: WrappedFileKey,
      /** Base64url of 32 bytes that only holders of the link can compute; if set, bytes are sent to them alone. */
      shareProof: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
      /** An omitted field stays unchanged; null removes it. */
      maxDownloads: z.optional(z.nullable(DownloadLimit)),
      label: z.optional(z.nullable(SealedLabel)),
    }),
    reply: ShareState,
    errors: ['FILE_NOT_FOUND', 'ENVELOPE_INVALID', 'ENVELOPE_KIND', 'TOO_MANY_SHARES'],
  }),
  address: endpoint({
    method: 'POST',
    path: '/api/file/:id/share',
    summary: 'Get the URL of a file that I have shared; an error if a key is sent along',
    access: 'account',
    params: FileParams,
    headers: z.object({
      'x-master-key': z.optional(z.string()),
      'x-encryption-key': z.optional(z.string()),
      'master-key': z.optional(z.string()),
    }),
    /** Declared only so that they can be rejected. */
    body: z.optional(
      z.object({
        masterKey: z.optional(z.unknown()),
        master_key: z.optional(z.unknown()),
        encryptionKey: z.optional(z.unknown()),
        key: z.optional(z.unknown()),
      }),
    ),
    reply: ShareState,
    errors: ['FILE_NOT_FOUND', 'NOT_SHARED', 'KEY_IN_REQUEST'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/file/:id/share',
    summary: 'Stop sharing one of my files',
    access: 'account',
    params: FileParams,
    reply: z.object({ success: Succeeded }),
    errors: ['FILE_NOT_FOUND', 'NOT_SHARED'],
  }),
  getMetadata: endpoint({
    method: 'HEAD',
    path: '/api/share/:token',
    summary: 'Get the sealed name, size, wrapped key and expiry of a shared file, without its bytes',
    access: 'anyone',
    params: ShareParams,
    reply: bytes,
    errors: ['SHARE_NOT_FOUND', 'RATE_LIMITED'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/share/:token',
    summary: 'Download the sealed bytes of a shared file, whole or a single range',
    access: 'anyone',
    params: ShareParams,
    query: z.object({
      sw_decrypt: z.optional(z.string()),
      filename: z.optional(z.string()),
      master_key: z.optional(z.string()),
    }),
    headers: z.object({
      'x-share-proof': z.optional(z.string()),
      /** 16 random bytes of the client: all requests with the same value are one download. */
      'x-share-claim': z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))),
      range: z.optional(z.string()),
    }),
    reply: bytes,
    errors: [
      'SHARE_NOT_FOUND',
      'FILE_BYTES_LOST',
      'SHARE_PROOF_REQUIRED',
      'SHARE_BUSY',
      'KEY_IN_REQUEST',
      'RANGE_NOT_SATISFIABLE',
      'RATE_LIMITED',
    ],
  }),
}
