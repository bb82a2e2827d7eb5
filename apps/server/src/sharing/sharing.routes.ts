import { shareHeaders, sharing as sharingContract } from '@sallyport/contract/sharing'
import type { FastifyInstance } from 'fastify'
import { answerSealedFile, sealedFileHeaders } from '../blobs/sealed-answer.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import type { SharedFile } from './shares.store.ts'
import type { SharingService } from './sharing.service.ts'

interface Deps {
  readonly sharing: SharingService
  readonly volumes: Volumes
  /** Refuse keys in requests; a server that is not strict leaves them unread. */
  readonly strict: boolean
}

export function shareRoutes(app: FastifyInstance, { sharing, volumes, strict }: Deps): void {
  mount(app, sharingContract.share, async ({ caller, params, body }) => ({
    shareUrl: await sharing.share({
      ownerId: caller.account.userId,
      fileId: params.id,
      wrappedKey: body.shareEncryptedFileKey,
      proof: body.shareProof,
    }),
  }))

  mount(app, sharingContract.address, async ({ caller, params, headers, body }) => {
    if (strict) refuseKeys({ ...headers, ...body })
    return { shareUrl: await sharing.findAddress(caller.account.userId, params.id) }
  })

  mount(app, sharingContract.revoke, async ({ caller, params }) => {
    await sharing.revoke(caller.account.userId, params.id)
    return {}
  })

  mount(app, sharingContract.look, async ({ params, address }) => {
    const file = await sharing.find(params.token, address)
    return { headers: { ...headersOf(file), 'Content-Length': String(file.sealedBytes) } }
  })

  mount(app, sharingContract.download, async ({ params, query, headers, address, gone, log }) => {
    if (strict) refuseKeys(query)
    const file = await sharing.find(params.token, address)
    sharing.requireProof(file, headers['x-share-proof'])
    const countDownload = () =>
      sharing.countDownload(file.shareId).catch((error: unknown) => log.error({ err: error }, 'download not counted'))
    const answer = await answerSealedFile(file, { volumes, range: headers.range, gone, onServed: countDownload })
    return { ...answer, headers: { ...headersOf(file), ...answer.headers } }
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
