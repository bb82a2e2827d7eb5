import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import type { onBothDatabases } from '../../testing/engines/databases.ts'
import { mountSmallDisk, skipUnlessMountable } from '../../testing/engines/small-disk.ts'
import { chunkHeaders, randomUploadId, waitUntil } from '../../testing/servers/file-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

const megabyte = 1024 * 1024
const onWholeServer: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

skipUnlessMountable(onWholeServer)(
  'T138 uploads to a read-only volume get 503, and new files go to the other volume',
  async () => {
    const [large, small] = [mountSmallDisk(8 * megabyte), mountSmallDisk(4 * megabyte)]
    const server = await startWholeServer({ VOLUMES: `${large.folder},${small.folder}` })
    const { accessToken } = await server.createMember()
    const authorization = `Bearer ${accessToken}`
    const file = await sealFile({ plainBytes: 2 * 64 * 1024 })
    const uploadId = randomUploadId()
    const send = async (index: number) => {
      const headers = { authorization, ...chunkHeaders(file, { uploadId, index }) }
      const body = new Uint8Array(file.chunks[index] ?? [])
      return (await fetch(`${server.url}/api/upload-chunk`, { method: 'POST', headers, body })).status
    }
    const storedBefore = await server.store(accessToken, await sealFile({ plainBytes: 10 }))
    expect(await send(0)).toBe(200)
    expect(filesIn(large.folder)).toContain(storedBefore)

    remount(large.folder, 'ro')
    const rejected = await send(1)
    let fresh = ''
    await waitUntil(async () => {
      fresh = await server.store(accessToken, await sealFile({ plainBytes: 10 })).catch(() => '')
      return fresh !== ''
    })
    const read = await fetch(`${server.url}/api/download/${storedBefore}`, { headers: { authorization } })
    remount(large.folder, 'rw')
    const again = await send(1)

    expect(rejected).toBe(503)
    expect(filesIn(small.folder)).toEqual([fresh])
    expect([read.status, again]).toEqual([200, 200])
    await server.stop()
    for (const disk of [large, small]) disk.unmount()
  },
)

function remount(folder: string, mode: 'ro' | 'rw'): void {
  expect(spawnSync('mount', ['-o', `remount,${mode}`, folder]).status).toBe(0)
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(
    (path) => /^[0-9a-f]{2}\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? [],
  )
