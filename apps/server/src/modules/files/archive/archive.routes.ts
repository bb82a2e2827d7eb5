import { files as filesContract, sealedArchive } from '@sallyport/contract/files'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { callerKey } from '../../../platform/http/address-blocks.ts'
import { sealedBytesHeaders } from '../../../platform/http/byte-response.ts'
import { mount } from '../../../platform/http/mount.ts'
import { type ArchivedFile, openSealedArchive } from './sealed-archive.ts'

interface ArchiveRoutesDeps extends Pick<ServerContext, 'volumes' | 'endAfterExpiry' | 'now'> {
  readonly files: {
    readonly list: (ownerId: string) => Promise<readonly ArchivedFile[]>
    readonly countDownloads: (ownerId: string, files: readonly ArchivedFile[]) => Promise<void>
  }
}

export function archiveRoutes(app: FastifyInstance, { files, volumes, endAfterExpiry, now }: ArchiveRoutesDeps): void {
  mount(app, filesContract.downloadAll, async ({ caller, address, disconnectSignal, log }) => {
    const { userId } = caller.account
    const listed = await files.list(userId)
    const readable = listed.filter(({ isLost }) => !isLost)
    const { bytes, stream } = openSealedArchive({
      files: readable,
      volumes,
      endAfterExpiry,
      now: now(),
      caller: callerKey(address, userId),
      signal: disconnectSignal,
    })
    stream.once('error', (error) => {
      if (!disconnectSignal.aborted) log.error({ err: error })
    })
    return {
      headers: {
        ...sealedBytesHeaders,
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${sealedArchive.fileName}"`,
        'Content-Length': String(bytes),
      },
      stream,
      onServed: () => void files.countDownloads(userId, readable).catch((error: unknown) => log.error({ err: error })),
    }
  })
}
