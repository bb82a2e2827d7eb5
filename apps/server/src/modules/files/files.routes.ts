import { files as filesContract } from '@sallyport/contract/files'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../context.ts'
import { callerKey } from '../../platform/http/address-blocks.ts'
import { mount } from '../../platform/http/mount.ts'
import { openSealedFileResponse } from '../../platform/storage/sealed-response.ts'
import type { FileService } from './files.service.ts'
import { rejectKeysInQuery, requireKeyId } from './uploads/file-checks.ts'
import { toListedFile } from './uploads/listed-file.ts'

interface FileRoutesDeps
  extends Pick<ServerContext, 'volumes' | 'endAfterExpiry' | 'rateLimiter' | 'listSlots' | 'strict'> {
  readonly files: FileService
}

export function fileRoutes(
  app: FastifyInstance,
  { files, volumes, endAfterExpiry, rateLimiter, listSlots, strict }: FileRoutesDeps,
): void {
  mount(app, filesContract.list, async ({ caller, address, closed }) => {
    const { userId } = caller.account
    const listed = await listSlots.run(
      { key: `files|${userId}`, caller: callerKey(address, userId), closed },
      () => files.list(userId),
      (rows) => rows,
    )
    return { files: listed.map(toListedFile) }
  })

  mount(app, filesContract.key, async ({ caller, params }) => {
    const { wrappedKey } = await files.find(caller.account.userId, params.id)
    return { encryptedFileKey: wrappedKey }
  })

  mount(app, filesContract.change, async ({ caller, params, body }) => {
    const { userId } = caller.account
    await rateLimiter.require(`file-change:${userId}`, rateLimits.fileChangesPerAccount)
    return { expiresAt: await files.changeLifetime(userId, params.id, body.expirationMinutes) }
  })

  mount(app, filesContract.remove, async ({ caller, params }) => {
    await files.remove(caller.account.userId, params.id)
    return {}
  })

  mount(app, filesContract.removeAll, async ({ caller }) => ({
    deleted: await files.removeAll(caller.account.userId),
  }))

  mount(app, filesContract.removeLost, async ({ caller }) => ({
    deleted: await files.removeLost(caller.account.userId),
  }))

  mount(
    app,
    filesContract.download,
    async ({ caller, params, headers, address, disconnectSignal, log }) => {
      const { userId } = caller.account
      const file = await files.find(userId, params.id)
      if (strict) requireKeyId(headers['x-encryption-key'], file.wrappedKey)
      const countDownload = () =>
        files.countDownloads(userId, [file]).catch((error: unknown) => log.error({ err: error }))
      return openSealedFileResponse(file, {
        volumes,
        endAfterExpiry,
        range: headers.range,
        caller: callerKey(address, userId),
        disconnectSignal,
        onServed: countDownload,
      })
    },
    { checkQuery: strict ? rejectKeysInQuery : undefined },
  )
}
