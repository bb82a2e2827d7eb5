import { statfsSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../platform/db/open.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import type { onBothDatabases } from '../../../testing/engines/databases.ts'
import { mountSmallDisk, skipUnlessMountable } from '../../../testing/engines/small-disk.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'

const page = 4096
const megabyte = 1024 * 1024
const onWholeServer: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

async function startWithAdmin(environment: Readonly<Record<string, string>> = {}) {
  const server = await startWholeServer(environment)
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const admin = await server.createMember()
  await db.insertInto('admins').values({ user_id: admin.userId, since: 0 }).execute()
  const ask = async (path: string, headers: object = {}) => {
    const sent = { authorization: `Bearer ${admin.accessToken}`, ...headers }
    return (await server.app.inject({ url: `/api/admin/${path}`, headers: sent })).json()
  }
  return {
    server,
    ask,
    async stop() {
      await close()
      await server.stop()
    },
  }
}

/** Starts a download whose bytes nobody reads. */
const openDownload = (url: string, accessToken: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${accessToken}` } }, (answer) => resolve(answer.pause())).on(
      'error',
      reject,
    )
  })

test('ADM-01 ADM-06 the figures of the overview are those of the machine, the accounts and the files', async () => {
  const { server, ask, stop } = await startWithAdmin({ TRUSTED_PROXIES: '127.0.0.1' })
  const member = await server.createMember()
  const sizes = [16 * megabyte, 2000, 300]
  const ids: string[] = []
  for (const plainBytes of sizes) ids.push(await server.store(member.accessToken, await sealFile({ plainBytes })))
  const downloads = await Promise.all(
    [0, 1].map(() => openDownload(`${server.url}/api/download/${ids[0]}`, member.accessToken)),
  )

  const stats = await ask('stats')
  for (const download of downloads) download.destroy()
  await expect.poll(async () => (await ask('stats')).files_downloading).toBe(0)

  expect(stats).toEqual({
    success: true,
    cpu_usage: expect.any(Number),
    memory_usage: expect.any(Number),
    memory_used: expect.any(Number),
    memory_total: expect.any(Number),
    disk_usage: expect.any(Number),
    backend_status: expect.stringMatching(/^(running|degraded)$/),
    database_status: expect.stringMatching(/^(connected|slow)$/),
    nginx_status: 'direct',
    total_users: 2,
    active_users: 2,
    total_files: 3,
    total_files_size: 16 * megabyte + 2300,
    files_uploading: 0,
    files_downloading: 2,
    volume_count: 1,
    used_volume_space: expect.any(Number),
    total_volume_space: expect.any(Number),
    users_by_license: { trial: 2, personal: 0, vip: 0, business: 0, nonprofit: 0 },
    clock_jump: null,
    measured_at: expect.any(Number),
    version: '9.8.7',
  })
  const disk = statfsSync(server.folder)
  expect(stats.total_volume_space).toBe(disk.blocks * disk.bsize)
  expect(stats.memory_total).toBeLessThanOrEqual(totalmem())
  expect(stats.memory_used).toBeGreaterThan(0)
  expect(stats.memory_usage).toBeCloseTo((100 * stats.memory_used) / stats.memory_total)
  const forwarded = { 'x-forwarded-for': '198.18.0.9', 'x-forwarded-proto': 'https' }
  expect((await ask('stats', forwarded)).nginx_status).toBe('passing')
  await stop()
})

test('ADM-01 the overview says that a proxy is not trusted, and how much is being uploaded', async () => {
  const { server, ask, stop } = await startWithAdmin()
  await server.seed()

  const stats = await ask('stats', { 'x-forwarded-for': '198.18.0.9' })

  expect(stats).toMatchObject({ nginx_status: 'untrusted', files_uploading: 1, total_files: 2 })
  await stop()
})

skipUnlessMountable(onWholeServer)('ADM-05 a volume shows its disk, and what it holds, to the byte', async () => {
  const disks = [mountSmallDisk(1000 * page), mountSmallDisk(500 * page)] as const
  const { server, ask, stop } = await startWithAdmin({ VOLUMES: disks.map(({ folder }) => folder).join(',') })
  const [one, other] = [await server.createMember(), await server.createMember()]
  for (const { accessToken } of [one, one, other]) await server.store(accessToken, await sealFile({ plainBytes: 1000 }))
  const fillTo = (pages: number) => {
    const { blocks, bfree } = statfsSync(disks[0].folder)
    writeFileSync(join(disks[0].folder, `filler-${pages}`), Buffer.alloc((pages - (blocks - bfree)) * page))
  }

  fillTo(800)
  const [full] = (await ask('volumes')).volumes
  fillTo(801)
  const { volumes } = await ask('volumes')
  const { disk_usage, used_volume_space, total_volume_space } = await ask('stats')

  expect(full).toEqual({
    id: expect.any(String),
    name: disks[0].folder.split('/').at(-1),
    is_active: true,
    usage_percent: 80,
    used_space: 800 * page,
    total_space: 1000 * page,
    free_space: 200 * page,
    user_count: 2,
    file_count: 3,
    orphaned_files: null,
    mount_path: disks[0].folder,
  })
  expect(volumes.map(({ usage_percent }: { usage_percent: number }) => usage_percent)[0]).toBeCloseTo(80.1)
  expect(volumes[1]).toMatchObject({ file_count: 0, user_count: 0, total_space: 500 * page })
  expect(total_volume_space).toBe(1500 * page)
  expect(used_volume_space).toBe(volumes[0].used_space + volumes[1].used_space)
  expect(disk_usage).toBeGreaterThanOrEqual(80.1)
  await stop()
  for (const disk of disks) disk.unmount()
})
