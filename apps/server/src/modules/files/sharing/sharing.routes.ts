import { randomUUID } from 'node:crypto'
import { shareHeaders, sharing as sharingContract } from '@sallyport/contract/sharing'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { callerKey } from '../../../platform/http/address-blocks.ts'
import { mount } from '../../../platform/http/mount.ts'
import { openSealedFileResponse, sealedFileHeaders } from '../../../platform/storage/sealed-response.ts'
import { hashToken } from '../../../token-hash.ts'
import type { SharedFile } from './shares.store.ts'
import type { SharingService } from './sharing.service.ts'

interface ShareRoutesDeps extends Pick<ServerContext, 'volumes' | 'endAfterExpiry' | 'strict'> {
  readonly sharing: SharingService
}

export function shareRoutes(app: FastifyInstance, { sharing, volumes, endAfterExpiry, strict }: ShareRoutesDeps): void {
  mount(app, sharingContract.share, async ({ caller, params, body }) =>
    sharing.share({
      ownerId: caller.account.userId,
      fileId: params.id,
      wrappedKey: body.shareEncryptedFileKey,
      proof: body.shareProof,
      options: { maxDownloads: body.maxDownloads, label: body.label },
    }),
  )

  mount(app, sharingContract.address, async ({ caller, params, headers, body }) => {
    if (strict) rejectKeys({ ...headers, ...body })
    return sharing.findNewest(caller.account.userId, params.id)
  })

  mount(app, sharingContract.revoke, async ({ caller, params }) => {
    await sharing.revoke(caller.account.userId, params.id)
    return {}
  })

  mount(app, sharingContract.getMetadata, async ({ params, address }) => {
    const file = await sharing.find(params.token, address)
    sharing.requireDownloadsLeft(file)
    return { headers: { ...headersOf(file), 'Content-Length': String(file.sealedBytes) } }
  })

  mount(app, sharingContract.download, async ({ params, query, headers, address, disconnectSignal, closed, log }) => {
    if (strict) rejectKeys(query)
    const file = await sharing.find(params.token, address)
    sharing.requireProof(file, headers['x-share-proof'])
    const claimToken = headers['x-share-claim']
    const claim = { shareId: file.shareId, claimHash: hashToken(claimToken ?? randomUUID()) }
    const logError = (error: unknown) => log.error({ err: error }, 'counting a download failed')
    // Ranges without a claim cannot be attributed to one download, so a limited share does not serve them.
    const range = file.maxDownloads === null || claimToken !== undefined ? headers.range : undefined
    const onServed = () => void sharing.count(claim).catch(logError)
    let askedBytes = 0
    const answer = await openSealedFileResponse(file, {
      volumes,
      endAfterExpiry,
      range,
      caller: callerKey(address, undefined),
      disconnectSignal,
      onServed,
      async authorizeBytes(bytes) {
        askedBytes = bytes
        await sharing.begin(file, claim, bytes)
        if (file.maxDownloads !== null) void closed.then(() => sharing.end(claim)).catch(logError)
      },
    })
    const { stream } = answer
    const meterInput = { file, claim, totalBytes: askedBytes, signal: disconnectSignal }
    return {
      ...answer,
      ...(stream && file.maxDownloads !== null && { stream: sharing.meter(stream, meterInput) }),
      headers: { ...headersOf(file), ...answer.headers },
    }
  })
}

const headersOf = (file: SharedFile): Record<string, string> => ({
  ...sealedFileHeaders(file),
  [shareHeaders.wrappedKey]: file.wrappedKey,
  [shareHeaders.expiresAt]: String(file.expiresAt),
})

function rejectKeys(values: Readonly<Record<string, unknown>>): void {
  if (Object.values(values).some((value) => value !== undefined)) throw apiError('KEY_IN_REQUEST')
}
