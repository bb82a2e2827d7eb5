import { files as filesContract, sealedArchive } from '@sallyport/contract/files'
import type { FastifyInstance } from 'fastify'
import type { Volumes } from '../blobs/volumes.ts'
import { sealedBytesHeaders } from '../http/byte-answer.ts'
import { mount } from '../http/mount.ts'
import { type ArchivedFile, openSealedArchive } from './sealed-archive.ts'

interface Deps {
  readonly files: {
    readonly list: (ownerId: string) => Promise<readonly ArchivedFile[]>
    readonly countDownload: (id: string) => Promise<void>
  }
  readonly volumes: Volumes
  readonly now: () => number
}

export function archiveRoutes(app: FastifyInstance, { files, volumes, now }: Deps): void {
  mount(app, filesContract.downloadAll, async ({ caller, gone, log }) => {
    const listed = await files.list(caller.account.userId)
    const opened = listed.filter(({ isLost }) => !isLost)
    const { bytes, stream } = openSealedArchive({ files: opened, volumes, now: now(), signal: gone })
    stream.once('error', (error) => {
      if (!gone.aborted) log.error({ err: error })
    })
    return {
      headers: {
        ...sealedBytesHeaders,
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${sealedArchive.fileName}"`,
        'Content-Length': String(bytes),
      },
      stream,
      onServed: () =>
        void Promise.all(opened.map(({ id }) => files.countDownload(id))).catch((error: unknown) =>
          log.error({ err: error }),
        ),
    }
  })
}
