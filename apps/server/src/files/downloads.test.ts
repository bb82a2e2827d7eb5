import { expect } from 'vitest'
import { sealFile, type TestFile } from '../testing/sealed-file.ts'
import { startStopwatch } from '../testing/stopwatch.ts'
import { beginRequest, onStoringServer, type StoringServer, storedObjects, until } from '../testing/storing-server.ts'

const recordBytes = 64 * 1024
const anotherKey = new Uint8Array(32).fill(7)
const mebibyte = 1024 * 1024

/** More than the buffers between server and client take, so that a paused reader really holds the server up. */
const aLargeFile = () => sealFile({ plainBytes: 40 * mebibyte, chunkBytes: mebibyte })

async function beginDownload(server: StoringServer, userId: string, fileId: string) {
  const path = `/api/download/${fileId}`
  const begun = beginRequest(await server.listen(), { method: 'GET', path, headers: server.as(userId) })
  begun.request.end()
  const answer = await begun.answer
  answer.pause()
  return { ...begun, answer }
}

onStoringServer('T154 a range is answered with just its bytes, wherever the chunks end', async (server) => {
  const { aUser, store, call } = server
  const ann = await aUser()
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
    const answer = await call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...server.as(ann), range } })

    expect(answer.statusCode).toBe(206)
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/${size}`)
    expect(answer.headers['content-length']).toBe(String(end - start + 1))
    expect(answer.rawPayload.equals(file.sealed.subarray(start, end + 1))).toBe(true)
  }
})

onStoringServer('T154 ranges that cannot be had or are too many do no harm', async ({ aUser, store, call, as }) => {
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 1000 })
  const fileId = await store(ann, file)
  const size = file.sealed.length
  const ask = (range: string) => call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...as(ann), range } })

  const beyond = await ask(`bytes=${size}-`)
  const many = await ask(`bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-`).join(',')}`)
  const overlapping = await ask('bytes=0-10,5-15')

  expect([beyond.statusCode, beyond.json().code]).toEqual([416, 'RANGE_NOT_SATISFIABLE'])
  expect(beyond.headers['content-range']).toBe(`bytes */${size}`)
  for (const answer of [many, overlapping]) {
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(file.sealed)).toBe(true)
  }
})

onStoringServer('T154 a download that broke off and is resumed gives the same as a whole one', async (server) => {
  const { aUser, store, call, as } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 4 * recordBytes })
  const fileId = await store(ann, file)
  const cut = recordBytes + 12_345

  const first = await call(ann, 'GET', `/api/download/${fileId}`, {
    headers: { ...as(ann), range: `bytes=0-${cut - 1}` },
  })
  const rest = await call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...as(ann), range: `bytes=${cut}-` } })

  expect(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(file.sealed)).toBe(true)
})

onStoringServer('T097 a file of somebody else is as missing as one that never was', async (server) => {
  const { aUser, store, call, share } = server
  const [ann, bob] = [await aUser(), await aUser()]
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

onStoringServer('T148 FIL-21 a file is there until the millisecond it expires, and then nowhere', async (server) => {
  const { aUser, store, call, share, advance, now, sweep, bytesFolder, db, events } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 2 * recordBytes })
  const fileId = await store(ann, file)
  const { shareUrl } = (await share(ann, fileId, { file, shareKey: anotherKey })).json()
  const sharePath = shareUrl.replace('/s/', '/api/share/')
  const setEnd = (at: number) => db.updateTable('files').set({ expires_at: at }).where('id', '=', fileId).execute()
  const ask = () =>
    Promise.all([
      call(ann, 'GET', `/api/file/${fileId}/key`),
      call(ann, 'GET', `/api/download/${fileId}`),
      call(ann, 'PATCH', `/api/file/${fileId}`, { payload: { expirationMinutes: 60 } }),
      call(ann, 'DELETE', `/api/file/${fileId}`),
      call(ann, 'GET', sharePath),
      call(ann, 'HEAD', sharePath),
    ])
  await setEnd(now() + 60_000)
  const before = (await call(ann, 'GET', '/api/files')).json().files.length
  advance(60_000)

  const after = await ask()
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
})

onStoringServer(
  'T149 T150 a download that began in time is whole, though the file is swept meanwhile',
  async (server) => {
    const { aUser, store, call, advance, sweep, bytesFolder } = server
    const ann = await aUser()
    const file = await aLargeFile()
    const fileId = await store(ann, file)
    advance(3_600_000 - 1000)
    const { body } = await beginDownload(server, ann, fileId)

    advance(2000)
    await sweep()
    const next = await call(ann, 'GET', `/api/download/${fileId}`)
    const bytes = await body()

    expect(next.statusCode).toBe(404)
    expect(bytes.equals(file.sealed)).toBe(true)
    await until(() => storedObjects(bytesFolder).length === 0)
  },
)

onStoringServer(
  'T151 deleting a file lets a download under way end whole, and then takes the bytes',
  async (server) => {
    const { aUser, store, call, bytesFolder } = server
    const ann = await aUser()
    const file = await aLargeFile()
    const fileId = await store(ann, file)
    const { body } = await beginDownload(server, ann, fileId)

    const deleted = await call(ann, 'DELETE', `/api/file/${fileId}`)
    const bytes = await body()

    expect(deleted.statusCode).toBe(200)
    expect(bytes.equals(file.sealed)).toBe(true)
    await until(() => storedObjects(bytesFolder).length === 0)
  },
)

onStoringServer('T157 the server stops reading soon after the other side has left', async (server) => {
  const { aUser, store, call, bytesFolder, log } = server
  const ann = await aUser()
  const fileId = await store(ann, await aLargeFile())
  const { request } = await beginDownload(server, ann, fileId)
  await call(ann, 'DELETE', `/api/file/${fileId}`)
  const held = storedObjects(bytesFolder).length

  const elapsed = await startStopwatch()
  request.destroy()
  await until(() => storedObjects(bytesFolder).length === 0)

  expect(held).toBe(40)
  expect(log.join('')).not.toContain('request failed')
  expect(elapsed()).toBeLessThan(2000)
})

onStoringServer('T113 only a download whose last byte went out is counted', async (server) => {
  const { aUser, store, call, as, app } = server
  const ann = await aUser()
  const small = await store(ann, await sealFile({ plainBytes: 4 * recordBytes }))
  const large = await store(ann, await aLargeFile())
  const downloads = async () => {
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    return Object.fromEntries(files.map((file: { id: string; downloads: number }) => [file.id, file.downloads]))
  }
  const range = (range: string) => call(ann, 'GET', `/api/download/${small}`, { headers: { ...as(ann), range } })

  await range('bytes=0-100')
  await range('bytes=-100')
  await app.inject({ method: 'HEAD', url: `/api/download/${small}`, headers: as(ann) })
  const { request } = await beginDownload(server, ann, large)
  request.destroy()
  const before = await downloads()
  await call(ann, 'GET', `/api/download/${small}`)
  await until(async () => (await downloads())[small] > 0)

  expect(before).toEqual({ [small]: 0, [large]: 0 })
  expect(await downloads()).toEqual({ [small]: 1, [large]: 0 })
})

onStoringServer(
  'T163 T167 FIL-14 a key in a download request is refused, and not written to the log',
  async (server) => {
    const { aUser, store, call, as, log } = server
    const ann = await aUser()
    const file: TestFile = await sealFile({ plainBytes: 10 })
    const fileId = await store(ann, file)
    const secret = Buffer.from(file.accountKey).toString('base64url')
    const withHeader = (key: string) =>
      call(ann, 'GET', `/api/download/${fileId}`, { headers: { ...as(ann), 'x-encryption-key': key } })

    const refused = [
      await withHeader(secret),
      await withHeader(`kid.${secret}`),
      await withHeader(Buffer.from(file.accountKey).toString('hex')),
    ]
    for (const name of ['sw_decrypt', 'auth', 'filename', 'master_key']) {
      refused.push(await call(ann, 'GET', `/api/download/${fileId}?${name}=${secret}`))
      refused.push(await call(ann, 'GET', `/api/download/${fileId}?${name}=${secret}`, { headers: {} }))
    }
    const replaced = await withHeader(`kid.${'A'.repeat(22)}`)
    const accepted = await withHeader(file.keyId)

    for (const answer of refused) expect([answer.statusCode, answer.json().code]).toEqual([400, 'KEY_IN_REQUEST'])
    expect([replaced.statusCode, replaced.json().code]).toEqual([409, 'KEY_REPLACED'])
    expect(accepted.statusCode).toBe(200)
    expect(log.length).toBeGreaterThan(7)
    expect(log.join('')).not.toContain(secret)
    expect(log.join('')).not.toContain('master_key')
  },
)

onStoringServer(
  'T158 T161 bytes, keys and lists are never kept or shown by a browser',
  async ({ aUser, store, call }) => {
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 10 })
    const fileId = await store(ann, file)

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    const key = await call(ann, 'GET', `/api/file/${fileId}/key`)
    const list = await call(ann, 'GET', '/api/files')

    for (const answer of [download, key, list]) expect(answer.headers['cache-control']).toBe('no-store')
    expect(download.headers['content-disposition']).toMatch(/^attachment; filename="ef1\.[A-Za-z0-9_-]+"$/)
    expect(download.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
    expect(download.headers['x-content-type-options']).toBe('nosniff')
  },
)

onStoringServer('a file whose bytes are gone from the disk is told as a fault, not as a short file', async (server) => {
  const { aUser, store, call, volumes, log } = server
  const ann = await aUser()
  const fileId = await store(ann, await sealFile({ plainBytes: 10 }))
  await volumes.all[0]?.remove(fileId)

  const answer = await call(ann, 'GET', `/api/download/${fileId}`)

  expect([answer.statusCode, answer.json().code]).toEqual([503, 'UNAVAILABLE'])
  expect(log.join('')).toContain('ENOENT')
})

onStoringServer("deleting all files takes mine and nobody else's", async (server) => {
  const { aUser, store, call, events, db } = server
  const [ann, bob] = [await aUser(), await aUser()]
  const ids = [
    await store(ann, await sealFile({ plainBytes: 10 })),
    await store(ann, await sealFile({ plainBytes: 20 })),
  ]
  const bobs = await store(bob, await sealFile({ plainBytes: 30 }))

  const answer = await call(ann, 'DELETE', '/api/files')

  expect(answer.json()).toEqual({ success: true, deleted: 2 })
  expect((await call(ann, 'GET', '/api/files')).json().files).toEqual([])
  expect((await call(bob, 'GET', `/api/download/${bobs}`)).statusCode).toBe(200)
  const told = events.filter(({ event }) => event.type === 'file.deleted')
  expect(told.map(({ event }) => 'id' in event && event.id).sort()).toEqual(ids.sort())
  const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  expect(use.used_bytes).toBe(0)
})

onStoringServer(
  'FIL-21 a file can be given another lifetime, counted from now, and open pages are told',
  async ({ aUser, store, call, advance, now, events }) => {
    const ann = await aUser()
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
