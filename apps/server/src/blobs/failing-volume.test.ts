import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { onBothDatabases } from '../testing/databases.ts'
import { sealFile } from '../testing/sealed-file.ts'
import { mountSmallDisk, whereDisksCanBeMounted } from '../testing/small-disk.ts'
import { anUploadId, chunkHeaders, until } from '../testing/storing-server.ts'
import { startWholeServer } from '../testing/whole-server.ts'

const megabyte = 1024 * 1024
const onWholeServer: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

whereDisksCanBeMounted(onWholeServer)(
  'T138 a volume that has become read-only refuses what belongs to it, and new files go to the other one',
  async () => {
    const [large, small] = [mountSmallDisk(8 * megabyte), mountSmallDisk(4 * megabyte)]
    const server = await startWholeServer({ VOLUMES: `${large.folder},${small.folder}` })
    const { accessToken } = await server.aMember()
    const authorization = `Bearer ${accessToken}`
    const file = await sealFile({ plainBytes: 2 * 64 * 1024 })
    const uploadId = anUploadId()
    const send = async (index: number) => {
      const headers = { authorization, ...chunkHeaders(file, { uploadId, index }) }
      const body = new Uint8Array(file.chunks[index] ?? [])
      return (await fetch(`${server.url}/api/upload-chunk`, { method: 'POST', headers, body })).status
    }
    const kept = await server.store(accessToken, await sealFile({ plainBytes: 10 }))
    expect(await send(0)).toBe(200)
    expect(filesIn(large.folder)).toContain(kept)

    remount(large.folder, 'ro')
    const refused = await send(1)
    let fresh = ''
    await until(async () => {
      fresh = await server.store(accessToken, await sealFile({ plainBytes: 10 })).catch(() => '')
      return fresh !== ''
    })
    const read = await fetch(`${server.url}/api/download/${kept}`, { headers: { authorization } })
    remount(large.folder, 'rw')
    const again = await send(1)

    expect(refused).toBe(503)
    expect(filesIn(small.folder)).toEqual([fresh])
    expect([read.status, again]).toEqual([200, 200])
    await server.stop()
    for (const disk of [large, small]) disk.unmount()
  },
)

function remount(folder: string, how: 'ro' | 'rw'): void {
  expect(spawnSync('mount', ['-o', `remount,${how}`, folder]).status).toBe(0)
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(
    (path) => /^[0-9a-f]{2}\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? [],
  )
