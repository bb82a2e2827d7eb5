import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { downloadLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { beginDownload, beginUnread, sealLargeFile } from '../../testing/clients/paused-download.ts'
import { sealFile, type TestFile } from '../../testing/clients/sealed-file.ts'
import { onFileServer, storedObjects, waitUntil } from '../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024
const anotherKey = new Uint8Array(32).fill(7)

onFileServer('T154 a range request gets exactly its bytes, regardless of chunk boundaries', async (server) => {
  const { createUser, store, call } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 3 * recordBytes + 10 })
  const fileId = await store(ann, file)
  const size = file.sealed.length
  const ranges = [
    ['bytes=0-0', 0, 0],
    [`bytes=0-${size - 1}`, 0, size - 1],
    [`bytes=${recordBytes}-${recordBytes + 100}`, recordBytes, recordBytes + 100],
    [`bytes=${recordBytes + 28}-`, recordBytes + 28, size - 1],
    ['bytes=-5', size - 5, size - 1],
  ] as const

  for (const [range, start, end] of ranges) {
    const answer = await call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...server.bearerOf(ann), range } })

    expect(answer.statusCode).toBe(206)
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/${size}`)
    expect(answer.headers['content-length']).toBe(String(end - start + 1))
    expect(answer.rawPayload.equals(file.sealed.subarray(start, end + 1))).toBe(true)
  }
})

onFileServer(
  'T154 an unsatisfiable range gets 416, and multiple ranges get the whole file',
  async ({ createUser, store, call, bearerOf }) => {
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 1000 })
    const fileId = await store(ann, file)
    const size = file.sealed.length
    const requestRange = (range: string) =>
      call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...bearerOf(ann), range } })

    const beyond = await requestRange(`bytes=${size}-`)
    const many = await requestRange(`bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-`).join(',')}`)
    const overlapping = await requestRange('bytes=0-10,5-15')

    expect([beyond.statusCode, beyond.json().code]).toEqual([416, 'RANGE_NOT_SATISFIABLE'])
    expect(beyond.headers['content-range']).toBe(`bytes */${size}`)
    for (const answer of [many, overlapping]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.rawPayload.equals(file.sealed)).toBe(true)
    }
  },
)

onFileServer('T154 a resumed download gives the same bytes as a whole one', async (server) => {
  const { createUser, store, call, bearerOf } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 4 * recordBytes })
  const fileId = await store(ann, file)
  const cut = recordBytes + 12_345

  const first = await call(ann, 'GET', `/api/download/${fileId}`, {
    headers: { ...bearerOf(ann), range: `bytes=0-${cut - 1}` },
  })
  const rest = await call(ann, 'GET', `/api/download/${fileId}`, {
    headers: { ...bearerOf(ann), range: `bytes=${cut}-` },
  })

  expect(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(file.sealed)).toBe(true)
})

onFileServer('T097 another user’s file responds like one that does not exist', async (server) => {
  const { createUser, store, call, share } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const file = await sealFile({ plainBytes: 10 })
  const fileId = await store(ann, file)
  const attempts = (id: string) => [
    call(bob, 'GET', `/api/file/${id}/key`),
    call(bob, 'GET', `/api/download/${id}`),
    call(bob, 'PATCH', `/api/file/${id}`, { payload: { expirationMinutes: 5 } }),
    call(bob, 'DELETE', `/api/file/${id}`),
    call(bob, 'POST', `/api/file/${id}/share`),
    call(bob, 'DELETE', `/api/file/${id}/share`),
    share(bob, id, { file, shareKey: anotherKey }),
  ]

  const foreign = await Promise.all(attempts(fileId))
  const unknown = await Promise.all(attempts('00000000-0000-4000-8000-000000000000'))

  expect(foreign.map((answer) => answer.statusCode)).toEqual(Array(7).fill(404))
  expect(foreign.map((answer) => answer.body)).toEqual(unknown.map((answer) => answer.body))
  expect((await call(bob, 'GET', '/api/files')).json().files).toEqual([])
  expect((await call(ann, 'GET', `/api/download/${fileId}`)).statusCode).toBe(200)
})

onFileServer(
  'T148 FIL-21 a file exists until the millisecond it expires, and nowhere after the sweep',
  async (server) => {
    const { createUser, store, call, share, advance, now, sweep, bytesFolder, db, events } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 2 * recordBytes })
    const fileId = await store(ann, file)
    const { shareUrl } = (await share(ann, fileId, { file, shareKey: anotherKey })).json()
    const sharePath = shareUrl.replace('/s/', '/api/share/')
    const setExpiry = (at: number) => db.updateTable('files').set({ expires_at: at }).where('id', '=', fileId).execute()
    const requestAll = () =>
      Promise.all([
        call(ann, 'GET', `/api/file/${fileId}/key`),
        call(ann, 'GET', `/api/download/${fileId}`),
        call(ann, 'PATCH', `/api/file/${fileId}`, { payload: { expirationMinutes: 60 } }),
        call(ann, 'DELETE', `/api/file/${fileId}`),
        call(ann, 'GET', sharePath),
        call(ann, 'HEAD', sharePath),
      ])
    await setExpiry(now() + 60_000)
    const before = (await call(ann, 'GET', '/api/files')).json().files.length
    advance(60_000)

    const after = await requestAll()
    const listed = (await call(ann, 'GET', '/api/files')).json().files
    await sweep()

    expect(before).toBe(1)
    expect(after.map((answer) => answer.statusCode)).toEqual(Array(6).fill(404))
    expect(listed).toEqual([])
    expect(storedObjects(bytesFolder)).toEqual([])
    expect(events.at(-1)).toEqual({ userId: ann, event: { type: 'file.deleted', id: fileId } })
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
    expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
    for (const table of ['files', 'uploads', 'objects', 'shares'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  },
)

onFileServer(
  'T149 T150 a download that started before expiry completes even if the file is swept meanwhile',
  async (server) => {
    const { createUser, store, call, advance, sweep, bytesFolder } = server
    const ann = await createUser()
    const file = await sealLargeFile()
    const fileId = await store(ann, file)
    advance(3_600_000 - 1000)
    const { body } = await beginDownload(server, ann, fileId)

    advance(2000)
    await sweep()
    const next = await call(ann, 'GET', `/api/download/${fileId}`)
    const bytes = await body()

    expect(next.statusCode).toBe(404)
    expect(bytes.equals(file.sealed)).toBe(true)
    await waitUntil(() => storedObjects(bytesFolder).length === 0)
  },
)

onFileServer(
  'FIL-21 downloads whose client reads nothing end a minute after their file has expired',
  async (server) => {
    const { createUser, store, call, advance, sweep, bytesFolder, bearerOf } = server
    const ann = await createUser()
    const file = await sealLargeFile()
    const fileId = await store(ann, file)
    const shareEncryptedFileKey = await file.wrap('share', anotherKey)
    const { shareUrl } = (
      await call(ann, 'POST', `/api/file/${fileId}/share-zk`, { payload: { shareEncryptedFileKey, maxDownloads: 3 } })
    ).json()
    advance(3_600_000 - 1000)
    const downloads = [
      await beginDownload(server, ann, fileId),
      await beginUnread(server, '/api/download-all', bearerOf(ann)),
      await beginUnread(server, shareUrl.replace('/s/', '/api/share/'), {}),
    ]

    advance(2000)
    await sweep()
    const heldAfterExpiry = storedObjects(bytesFolder).length
    advance(60_000)
    await waitUntil(() => storedObjects(bytesFolder).length === 0)
    const bodies = await Promise.allSettled(downloads.map(({ body }) => body()))

    expect(downloads.map(({ answer }) => answer.statusCode)).toEqual([200, 200, 200])
    expect(heldAfterExpiry).toBe(40)
    expect(bodies.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  },
)

onFileServer('FIL-21 a download completes when the lifetime of its file is extended meanwhile', async (server) => {
  const { createUser, store, call, advance } = server
  const ann = await createUser()
  const file = await sealLargeFile()
  const fileId = await store(ann, file)
  advance(3_600_000 - 1000)
  const { body } = await beginDownload(server, ann, fileId)

  await call(ann, 'PATCH', `/api/file/${fileId}`, { payload: { expirationMinutes: 60 } })
  advance(62_000)
  await new Promise((resolve) => setTimeout(resolve, 1.25 * downloadLimits.checkExpiryEveryMs))

  expect((await body()).equals(file.sealed)).toBe(true)
})

onFileServer('T151 deleting a file lets a running download complete, then removes the bytes', async (server) => {
  const { createUser, store, call, bytesFolder } = server
  const ann = await createUser()
  const file = await sealLargeFile()
  const fileId = await store(ann, file)
  const { body } = await beginDownload(server, ann, fileId)

  const deleted = await call(ann, 'DELETE', `/api/file/${fileId}`)
  const bytes = await body()

  expect(deleted.statusCode).toBe(200)
  expect(bytes.equals(file.sealed)).toBe(true)
  await waitUntil(() => storedObjects(bytesFolder).length === 0)
})

onFileServer('T157 the server stops reading after the client disconnects', async (server) => {
  const { createUser, store, call, bytesFolder, log } = server
  const ann = await createUser()
  const fileId = await store(ann, await sealLargeFile())
  const { request } = await beginDownload(server, ann, fileId)
  await call(ann, 'DELETE', `/api/file/${fileId}`)
  const held = storedObjects(bytesFolder).length

  request.destroy()
  await waitUntil(() => storedObjects(bytesFolder).length === 0)

  expect(held).toBe(40)
  expect(log.join('')).not.toContain('request failed')
})

onFileServer('T113 only a download whose last byte was sent is counted', async (server) => {
  const { createUser, store, call, bearerOf, app } = server
  const ann = await createUser()
  const small = await store(ann, await sealFile({ plainBytes: 4 * recordBytes }))
  const large = await store(ann, await sealLargeFile())
  const downloads = async () => {
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    return Object.fromEntries(files.map((file: { id: string; downloads: number }) => [file.id, file.downloads]))
  }
  const downloadRange = (range: string) =>
    call(ann, 'GET', `/api/download/${small}`, { headers: { ...bearerOf(ann), range } })

  await downloadRange('bytes=0-100')
  await downloadRange('bytes=-100')
  await app.inject({ method: 'HEAD', url: `/api/download/${small}`, headers: bearerOf(ann) })
  const { request } = await beginDownload(server, ann, large)
  request.destroy()
  const before = await downloads()
  await call(ann, 'GET', `/api/download/${small}`)
  await waitUntil(async () => (await downloads())[small] > 0)

  expect(before).toEqual({ [small]: 0, [large]: 0 })
  expect(await downloads()).toEqual({ [small]: 1, [large]: 0 })
})

onFileServer('T163 T167 FIL-14 a key in a download request gets 400 and is not logged', async (server) => {
  const { createUser, store, call, bearerOf, log } = server
  const ann = await createUser()
  const file: TestFile = await sealFile({ plainBytes: 10 })
  const fileId = await store(ann, file)
  const secret = Buffer.from(file.rootKey).toString('base64url')
  const withHeader = (key: string) =>
    call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...bearerOf(ann), 'x-encryption-key': key } })

  const rejected = [
    await withHeader(secret),
    await withHeader(`kid.${secret}`),
    await withHeader(Buffer.from(file.rootKey).toString('hex')),
  ]
  for (const name of ['sw_decrypt', 'auth', 'filename', 'master_key']) {
    rejected.push(await call(ann, 'GET', `/api/download/${fileId}?${name}=${secret}`))
    rejected.push(await call(ann, 'GET', `/api/download/${fileId}?${name}=${secret}`, { headers: {} }))
  }
  const replaced = await withHeader(`kid.${'A'.repeat(22)}`)
  const accepted = await withHeader(file.keyId)

  for (const answer of rejected) expect([answer.statusCode, answer.json().code]).toEqual([400, 'KEY_IN_REQUEST'])
  expect([replaced.statusCode, replaced.json().code]).toEqual([409, 'KEY_REPLACED'])
  expect(accepted.statusCode).toBe(200)
  expect(log.length).toBeGreaterThan(7)
  expect(log.join('')).not.toContain(secret)
  expect(log.join('')).not.toContain('master_key')
})

onFileServer('T158 T161 browsers never cache or display bytes, keys and lists', async ({ createUser, store, call }) => {
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 10 })
  const fileId = await store(ann, file)

  const download = await call(ann, 'GET', `/api/download/${fileId}`)
  const key = await call(ann, 'GET', `/api/file/${fileId}/key`)
  const list = await call(ann, 'GET', '/api/files')

  for (const answer of [download, key, list]) expect(answer.headers['cache-control']).toBe('no-store')
  expect(download.headers['content-disposition']).toMatch(/^attachment; filename="ef1\.[A-Za-z0-9_-]+"$/)
  expect(download.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
  expect(download.headers['x-content-type-options']).toBe('nosniff')
})

onFileServer('a file whose bytes are gone from the disk gets 410 and not a truncated body', async (server) => {
  const { createUser, store, call, volumes, log } = server
  const ann = await createUser()
  const fileId = await store(ann, await sealFile({ plainBytes: 10 }))
  await volumes.all[0]?.remove(fileId)

  const answer = await call(ann, 'GET', `/api/download/${fileId}`)

  expect([answer.statusCode, answer.json().code]).toEqual([410, 'FILE_BYTES_LOST'])
  expect(log.join('')).toContain('ENOENT')
})

onFileServer('a download of a file that was truncated on the disk is cut off at once', async (server) => {
  const { createUser, store, bearerOf, listen, bytesFolder } = server
  const ann = await createUser()
  const fileId = await store(ann, await sealFile({ plainBytes: 3_000_000 }))
  for (const path of storedObjects(bytesFolder)) truncateSync(join(bytesFolder, path), 1000)
  const origin = `http://127.0.0.1:${await listen()}`
  const startedAt = performance.now()

  const answer = await fetch(`${origin}/api/download/${fileId}`, { headers: bearerOf(ann) })

  await expect(answer.arrayBuffer()).rejects.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

onFileServer('deleting all files deletes only the files of the caller', async (server) => {
  const { createUser, store, call, events, db } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const ids = [
    await store(ann, await sealFile({ plainBytes: 10 })),
    await store(ann, await sealFile({ plainBytes: 20 })),
  ]
  const bobs = await store(bob, await sealFile({ plainBytes: 30 }))

  const answer = await call(ann, 'DELETE', '/api/files')

  expect(answer.json()).toEqual({ success: true, deleted: 2 })
  expect((await call(ann, 'GET', '/api/files')).json().files).toEqual([])
  expect((await call(bob, 'GET', `/api/download/${bobs}`)).statusCode).toBe(200)
  const published = events.filter(({ event }) => event.type === 'file.deleted')
  expect(published.map(({ event }) => 'id' in event && event.id).sort()).toEqual(ids.sort())
  const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  expect(use.used_bytes).toBe(0)
})

onFileServer(
  'FIL-21 the lifetime of a file can be changed, counted from now, and open pages are notified',
  async ({ createUser, store, call, advance, now, events }) => {
    const ann = await createUser()
    const fileId = await store(ann, await sealFile({ plainBytes: 10 }))
    advance(30 * 60_000)

    const { expiresAt } = (
      await call(ann, 'PATCH', `/api/file/${fileId}`, { payload: { expirationMinutes: 180 } })
    ).json()

    expect(Math.abs(expiresAt - now() - 180 * 60_000)).toBeLessThan(60_000)
    expect((await call(ann, 'GET', '/api/files')).json().files[0].expiresAt).toBe(expiresAt)
    expect(events.at(-1)).toEqual({ userId: ann, event: { type: 'file.changed', id: fileId, expiresAt } })
  },
)
