import { randomUUID } from 'node:crypto'
import { shareHeaders, sharing as sharingContract } from '@sallyport/contract/sharing'
import type { FastifyInstance } from 'fastify'
import { answerSealedFile, sealedFileHeaders } from '../blobs/sealed-answer.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { hashOfToken } from '../token-hash.ts'
import type { SharedFile } from './shares.store.ts'
import type { SharingService } from './sharing.service.ts'

interface Deps {
  readonly sharing: SharingService
  readonly volumes: Volumes
  /** Refuse keys in requests; a server that is not strict leaves them unread. */
  readonly strict: boolean
}

export function shareRoutes(app: FastifyInstance, { sharing, volumes, strict }: Deps): void {
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
    if (strict) refuseKeys({ ...headers, ...body })
    return sharing.findNewest(caller.account.userId, params.id)
  })

  mount(app, sharingContract.revoke, async ({ caller, params }) => {
    await sharing.revoke(caller.account.userId, params.id)
    return {}
  })

  mount(app, sharingContract.look, async ({ params, address }) => {
    const file = await sharing.find(params.token, address)
    sharing.requireLeft(file)
    return { headers: { ...headersOf(file), 'Content-Length': String(file.sealedBytes) } }
  })

  mount(app, sharingContract.download, async ({ params, query, headers, address, gone, closed, log }) => {
    if (strict) refuseKeys(query)
    const file = await sharing.find(params.token, address)
    sharing.requireProof(file, headers['x-share-proof'])
    const named = headers['x-share-claim']
    const claim = { shareId: file.shareId, claimHash: hashOfToken(named ?? randomUUID()) }
    const report = (error: unknown) => log.error({ err: error }, 'download not counted')
    // Pieces that nobody can put together again as one download are not given of a limited share.
    const range = file.maxDownloads === null || named !== undefined ? headers.range : undefined
    const onServed = () => void sharing.count(claim).catch(report)
    let askedBytes = 0
    const answer = await answerSealedFile(file, {
      volumes,
      range,
      gone,
      onServed,
      async onAsked(bytes) {
        askedBytes = bytes
        await sharing.begin(file, claim, bytes)
        if (file.maxDownloads !== null) void closed.then(() => sharing.leave(claim)).catch(report)
      },
    })
    const { stream } = answer
    const metering = { file, claim, totalBytes: askedBytes, signal: gone }
    return {
      ...answer,
      ...(stream && file.maxDownloads !== null && { stream: sharing.meter(stream, metering) }),
      headers: { ...headersOf(file), ...answer.headers },
    }
  })
}

const headersOf = (file: SharedFile): Record<string, string> => ({
  ...sealedFileHeaders(file),
  [shareHeaders.wrappedKey]: file.wrappedKey,
  [shareHeaders.expiresAt]: String(file.expiresAt),
})

function refuseKeys(places: Readonly<Record<string, unknown>>): void {
  if (Object.values(places).some((value) => value !== undefined)) throw refuse('KEY_IN_REQUEST')
}
