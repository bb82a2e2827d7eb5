import * as z from 'zod/mini'
import { bytes, endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded, WrappedFileKey } from './fields.ts'
import { shareLimits } from './limits.ts'

const FileParams = z.object({ id: Id })
const ShareParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/** Words of the owner for themselves, sealed: a wrapped key and a padded text, each in base64url. */
const SealedLabel = z.string().check(z.regex(/^[A-Za-z0-9_-]{155}\.[A-Za-z0-9_-]{123,1023}$/))

const DownloadLimit = z.int().check(z.gte(1), z.lte(shareLimits.mostDownloads))

const ShareState = z.object({
  success: Succeeded,
  shareUrl: z.string(),
  /** How often the file was taken whole by this link. */
  downloads: z.int(),
  lastDownloadAt: z.nullable(EpochMs),
  /** Null while there is no limit. */
  maxDownloads: z.nullable(z.int()),
  label: z.nullable(z.string()),
})
export type ShareState = z.output<typeof ShareState>

/** Headers of a share's answer that carry what a stranger's page needs before it asks for bytes. */
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
    summary: 'Share one of my files: its key arrives wrapped under a key the server never sees',
    access: 'account',
    params: FileParams,
    body: z.object({
      shareEncryptedFileKey: WrappedFileKey,
      /** Base64url of 32 bytes only holders of the link can make; when given, bytes are answered to them alone. */
      shareProof: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
      /** What is left out stays as it was; null takes it away. */
      maxDownloads: z.optional(z.nullable(DownloadLimit)),
      label: z.optional(z.nullable(SealedLabel)),
    }),
    reply: ShareState,
    errors: ['FILE_NOT_FOUND', 'ENVELOPE_INVALID', 'ENVELOPE_KIND', 'TOO_MANY_SHARES'],
  }),
  address: endpoint({
    method: 'POST',
    path: '/api/file/:id/share',
    summary: 'The address of a file I have shared; refuses any key that is sent along',
    access: 'account',
    params: FileParams,
    headers: z.object({
      'x-master-key': z.optional(z.string()),
      'x-encryption-key': z.optional(z.string()),
      'master-key': z.optional(z.string()),
    }),
    /** Named only so that they can be refused. */
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
  look: endpoint({
    method: 'HEAD',
    path: '/api/share/:token',
    summary: 'What a share link leads to: sealed name, size, wrapped key and expiry, without a byte of the file',
    access: 'anyone',
    params: ShareParams,
    reply: bytes,
    errors: ['SHARE_NOT_FOUND', 'RATE_LIMITED'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/share/:token',
    summary: 'The sealed bytes behind a share link, whole or a single range',
    access: 'anyone',
    params: ShareParams,
    query: z.object({
      sw_decrypt: z.optional(z.string()),
      filename: z.optional(z.string()),
      master_key: z.optional(z.string()),
    }),
    headers: z.object({
      'x-share-proof': z.optional(z.string()),
      /** 16 random bytes of whoever downloads: all requests that carry the same are one download. */
      'x-share-claim': z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))),
      range: z.optional(z.string()),
    }),
    reply: bytes,
    errors: [
      'SHARE_NOT_FOUND',
      'SHARE_PROOF_REQUIRED',
      'SHARE_BUSY',
      'KEY_IN_REQUEST',
      'RANGE_NOT_SATISFIABLE',
      'RATE_LIMITED',
    ],
  }),
}
