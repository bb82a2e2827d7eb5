import { files as filesContract } from '@sallyport/contract/files'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import { answerSealedFile } from '../blobs/sealed-answer.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { ListSlots } from '../limits/list-slots.ts'
import { callerKey } from '../resources/address-blocks.ts'
import { refuseKeysInQuery, requireKeyId } from '../uploads/key-in-request.ts'
import { asListedFile } from '../uploads/listed-file.ts'
import type { Files } from './files.service.ts'

interface Deps {
  readonly files: Files
  readonly volumes: Volumes
  readonly attempts: Attempts
  readonly listSlots: ListSlots
  /** Refuse keys in requests; a server that is not strict leaves them unread. */
  readonly strict: boolean
}

export function fileRoutes(app: FastifyInstance, { files, volumes, attempts, listSlots, strict }: Deps): void {
  mount(app, filesContract.list, async ({ caller, address, closed }) => {
    const { userId } = caller.account
    const listed = await listSlots.run(
      { key: `files|${userId}`, caller: callerKey(address, userId), closed },
      () => files.list(userId),
      (rows) => rows,
    )
    return { files: listed.map(asListedFile) }
  })

  mount(app, filesContract.key, async ({ caller, params }) => {
    const { wrappedKey } = await files.find(caller.account.userId, params.id)
    return { encryptedFileKey: wrappedKey }
  })

  mount(app, filesContract.change, async ({ caller, params, body }) => {
    const { userId } = caller.account
    const { allowed, retryAfterSeconds } = await attempts.allow(
      `file-change:${userId}`,
      rateLimits.fileChangesPerAccount,
    )
    if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
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
    async ({ caller, params, headers, gone, log }) => {
      const file = await files.find(caller.account.userId, params.id)
      if (strict) requireKeyId(headers['x-encryption-key'], file.wrappedKey)
      const countDownload = () => files.countDownload(file.id).catch((error: unknown) => log.error({ err: error }))
      return answerSealedFile(file, { volumes, range: headers.range, gone, onServed: countDownload })
    },
    { refuseAddress: strict ? refuseKeysInQuery : undefined },
  )
}
