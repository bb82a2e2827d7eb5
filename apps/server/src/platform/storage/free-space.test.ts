import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import type { onBothDatabases } from '../../testing/engines/databases.ts'
import { mountSmallDisk, skipUnlessMountable } from '../../testing/engines/small-disk.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { createFreeSpace } from './free-space.ts'

const megabyte = 1024 * 1024
const onWholeServer: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

skipUnlessMountable(onWholeServer)(
  'F06 FIL-21 a disk that is filled by uploads has headroom for the database, so that deleting frees space',
  async () => {
    const disk = mountSmallDisk(16 * megabyte)
    const server = await startWholeServer({ DATA_DIR: disk.folder })
    const { accessToken, email, password } = await server.createMember()
    const storedIds: string[] = []
    const errors: string[] = []
    for (const plainBytes of [2 * megabyte, 200_000, 20_000, 100]) {
      const file = await sealFile({ plainBytes })
      const fill = async () => {
        for (;;) storedIds.push(await server.store(accessToken, file))
      }
      errors.push(await fill().catch((error: Error) => error.message))
    }
    const call = (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) }
      return fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    }

    const signIn = await call('POST', '/api/login', { email, password })
    const deleted = await call('DELETE', `/api/file/${storedIds[0]}`)

    expect(errors).toEqual(Array(4).fill('upload: 507'))
    expect([signIn.status, deleted.status]).toEqual([200, 200])
    expect(await server.store(accessToken, await sealFile({ plainBytes: megabyte }))).not.toBe('')
    await server.stop()
    disk.unmount()
  },
)

test('F06 concurrent writes cannot reserve the same space, and release what they do not use', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-room-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const freeSpace = createFreeSpace(folder)
  const half = Math.floor((await freeSpace.freeBytes()) * 0.6)

  const first = await freeSpace.reserve(half)
  await expect(freeSpace.reserve(half)).rejects.toMatchObject({ code: 'NO_SPACE' })
  first.use(half)
  const second = await freeSpace.reserve(half)
  await expect(freeSpace.reserve(half)).rejects.toMatchObject({ code: 'NO_SPACE' })
  first.release()
  second.release()
  second.release()

  await expect(freeSpace.reserve(half)).resolves.toBeDefined()
})
