import { randomBytes } from 'node:crypto'
import type { ActivityEntry } from '@sallyport/contract/activity'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../platform/db/open.ts'
import { sealFile, type TestFile } from '../../../testing/clients/sealed-file.ts'
import { startWholeServer, type WholeServer } from '../../../testing/servers/whole-server.ts'

const gigabyte = 1024 ** 3
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function startWithAdmin() {
  const server = await startWholeServer()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const admin = await server.createMember()
  const member = await server.createMember()
  await db.insertInto('admins').values({ user_id: admin.userId, since: 0 }).execute()
  const headers = bearer(admin.accessToken)
  return {
    server,
    db,
    member,
    show: async () => (await server.app.inject({ url: `/api/admin/users/${member.userId}/detailed`, headers })).json(),
    list: async () => (await server.app.inject({ url: '/api/admin/users?search=@example', headers })).json(),
    setLicence: (type: string) =>
      server.app.inject({
        method: 'PUT',
        url: `/api/admin/users/${member.userId}/license`,
        headers,
        payload: { license_type: type },
      }),
    async stop() {
      await close()
      await server.stop()
    },
  }
}

/** Shares a file and returns the token of its link. */
async function share({ app }: WholeServer, accessToken: string, fileId: string, file: TestFile): Promise<string> {
  const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
  const answer = await app.inject({
    method: 'POST',
    url: `/api/file/${fileId}/share-zk`,
    headers: bearer(accessToken),
    payload: { shareEncryptedFileKey },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json().shareUrl.split('/').at(-1)
}

/** How many files and bytes the entries of each action are about. */
function sumsOf(entries: readonly ActivityEntry[]): Record<string, [number, number]> {
  const sums: Record<string, [number, number]> = {}
  for (const { action, details } of entries) {
    const [files, bytes] = sums[action] ?? [0, 0]
    sums[action] = [files + (details.files ?? 0), bytes + (details.bytes ?? 0)]
  }
  return sums
}

test('T234 ADM-03 the page of a user shows files by size and time, never their name, key or token', async () => {
  const { server, member, show, list, stop } = await startWithAdmin()
  const files = await Promise.all([1000, 2000, 3000].map((plainBytes) => sealFile({ plainBytes })))
  const ids: string[] = []
  for (const file of files) ids.push(await server.store(member.accessToken, file))
  const token = await share(server, member.accessToken, String(ids[1]), files[1] as TestFile)
  const download = { url: `/api/download/${ids[0]}`, headers: bearer(member.accessToken) }
  expect((await server.app.inject(download)).statusCode).toBe(200)
  const remove = { method: 'DELETE', url: `/api/file/${ids[2]}`, headers: bearer(member.accessToken) } as const
  expect((await server.app.inject(remove)).statusCode).toBe(200)

  await expect.poll(async () => (await show()).stats.totalDownloads).toBe(1)
  const shown = await show()
  const row = (await list()).users.find(({ id }: { id: string }) => id === member.userId)

  expect(shown.files).toEqual([
    {
      id: ids[1],
      filename: `Encrypted file · ${ids[1]?.slice(-6)}`,
      size_bytes: 2000,
      created_at: expect.any(Number),
      expires_at: expect.any(Number),
      download_count: 0,
      share_token: expect.stringMatching(/^.{6}$/),
    },
    expect.objectContaining({ id: ids[0], size_bytes: 1000, download_count: 1, share_token: null }),
  ])
  expect(shown.stats).toMatchObject({
    totalFilesUploaded: 3,
    totalFilesDownloaded: 1,
    currentFiles: 2,
    totalDownloads: 1,
  })
  expect(sumsOf(shown.activity)).toEqual({
    'sign-in': [0, 0],
    upload: [3, 6000],
    share: [1, 0],
    download: [1, 1000],
    delete: [1, 3000],
  })
  expect(shown.stats.lastActivity).toBeGreaterThan(Date.now() - 60_000)
  expect(shown.user.storage_used_bytes).toBe(3000)
  expect(row).toMatchObject({ file_count: 2, total_storage_used: 3000 })
  const text = JSON.stringify(shown)
  expect(token.length).toBeGreaterThan(6)
  for (const secret of [token, ...files.flatMap(({ name, envelope }) => [name, envelope])])
    expect(text).not.toContain(secret)
  await stop()
})

test('T238 ADM-04 files over the quota of a smaller licence stay, and uploads wait', async () => {
  const { server, db, member, setLicence, show, stop } = await startWithAdmin()
  await setLicence('vip')
  const file = await sealFile({ plainBytes: 1000 })
  const id = await server.store(member.accessToken, file)
  await db
    .updateTable('storage_use')
    .set({ used_bytes: 2 * gigabyte })
    .where('user_id', '=', member.userId)
    .execute()

  expect((await setLicence('trial')).json()).toEqual({ success: true, message: 'Saved.' })

  expect((await show()).user).toMatchObject({ license_type: 'trial', storage_limit_bytes: gigabyte })
  const download = { url: `/api/download/${id}`, headers: bearer(member.accessToken) }
  expect((await server.app.inject(download)).rawPayload.length).toBe(file.sealed.length)
  await expect(server.store(member.accessToken, file)).rejects.toThrow('upload: 413')
  await stop()
})
