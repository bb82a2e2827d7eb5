import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { onBothDatabases } from '../testing/databases.ts'
import { sealFile } from '../testing/sealed-file.ts'
import { mountSmallDisk, whereDisksCanBeMounted } from '../testing/small-disk.ts'
import { startWholeServer } from '../testing/whole-server.ts'
import { createRoom } from './room.ts'

const megabyte = 1024 * 1024
const onWholeServer: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

whereDisksCanBeMounted(onWholeServer)(
  'F06 FIL-21 a disk that uploads have filled keeps room for the database, so that deleting makes room again',
  async () => {
    const disk = mountSmallDisk(16 * megabyte)
    const server = await startWholeServer({ DATA_DIR: disk.folder })
    const { accessToken, email, password } = await server.aMember()
    const kept: string[] = []
    const refusals: string[] = []
    for (const plainBytes of [2 * megabyte, 200_000, 20_000, 100]) {
      const file = await sealFile({ plainBytes })
      const fill = async () => {
        for (;;) kept.push(await server.store(accessToken, file))
      }
      refusals.push(await fill().catch((error: Error) => error.message))
    }
    const call = (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) }
      return fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    }

    const signIn = await call('POST', '/api/login', { email, password })
    const deleted = await call('DELETE', `/api/file/${kept[0]}`)

    expect(refusals).toEqual(Array(4).fill('upload: 507'))
    expect([signIn.status, deleted.status]).toEqual([200, 200])
    expect(await server.store(accessToken, await sealFile({ plainBytes: megabyte }))).not.toBe('')
    await server.stop()
    disk.unmount()
  },
)

test('F06 writes under way cannot be promised the same room, and give back what they do not use', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-room-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const room = createRoom(folder)
  const half = Math.floor((await room.freeBytes()) * 0.6)

  const first = await room.promise(half)
  await expect(room.promise(half)).rejects.toMatchObject({ code: 'NO_SPACE' })
  first.use(half)
  const second = await room.promise(half)
  await expect(room.promise(half)).rejects.toMatchObject({ code: 'NO_SPACE' })
  first.leave()
  second.leave()
  second.leave()

  await expect(room.promise(half)).resolves.toBeDefined()
})
