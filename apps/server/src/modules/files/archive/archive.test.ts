import type { IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import * as yauzl from 'yauzl'
import { sealFile, type TestFile } from '../../../testing/clients/sealed-file.ts'
import {
  beginRequest,
  type FileServer,
  onFileServer,
  storedObjects,
  waitUntil,
} from '../../../testing/servers/file-server.ts'

const mebibyte = 1024 * 1024

async function beginArchive(server: FileServer, userId: string) {
  const path = '/api/download-all'
  const begun = beginRequest(await server.listen(), { method: 'GET', path, headers: server.bearerOf(userId) })
  begun.request.end()
  return { ...begun, answer: await begun.answer }
}

async function readEntries(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(archive)
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()))
  }
  return entries
}

const manifestIn = (entries: ReadonlyMap<string, Buffer>) => JSON.parse(String(entries.get('manifest.json')))

onFileServer('FIL-16 all files download as one archive of encrypted entries with a manifest', async (server) => {
  const { createUser, store, call } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const older = await sealFile({ plainBytes: 3 * mebibyte + 7, chunkBytes: mebibyte })
  const newer = await sealFile({ plainBytes: 0 })
  const olderId = await store(ann, older)
  const newerId = await store(ann, newer)
  await store(bob, await sealFile({ plainBytes: 5 }))

  const { answer, body } = await beginArchive(server, ann)
  const archive = await body()
  const entries = await readEntries(archive)
  const { files } = (await call(ann, 'GET', '/api/files')).json()

  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(archive.length),
    'content-disposition': 'attachment; filename="sallyport-files.zip"',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect([...entries.keys()]).toEqual(['manifest.json', `${newerId}.ef1`, `${olderId}.ef1`])
  expect(entries.get(`${olderId}.ef1`)?.equals(older.sealed)).toBe(true)
  expect(entries.get(`${newerId}.ef1`)?.equals(newer.sealed)).toBe(true)
  expect(manifestIn(entries)).toEqual({
    version: 1,
    files: [newer, older].map((file: TestFile, at) => ({
      ...files[at],
      downloads: 0,
      entry: `${files[at].id}.ef1`,
      sealedSize: file.sealed.length,
      chunkSize: 64 * 1024,
    })),
  })
  await waitUntil(async () => {
    const listed = (await call(ann, 'GET', '/api/files')).json().files
    return listed.every(({ downloads }: { downloads: number }) => downloads === 1)
  })
})

onFileServer('FIL-16 an account without files gets an archive with an empty manifest', async (server) => {
  const ann = await server.createUser()

  const { body } = await beginArchive(server, ann)
  const entries = await readEntries(await body())

  expect([...entries.keys()]).toEqual(['manifest.json'])
  expect(manifestIn(entries)).toEqual({ version: 1, files: [] })
})

onFileServer('FIL-16 expired and lost files are not in the archive', async (server) => {
  const { createUser, store, db, advance } = server
  const ann = await createUser()
  await store(ann, await sealFile({ plainBytes: 10 }), { 'x-file-expiration-minutes': '1' })
  const lost = await store(ann, await sealFile({ plainBytes: 10 }))
  const readable = await store(ann, await sealFile({ plainBytes: 10 }))
  await db.updateTable('files').set({ lost: 1 }).where('id', '=', lost).execute()
  advance(60_000)

  const { body } = await beginArchive(server, ann)

  expect([...(await readEntries(await body())).keys()]).toEqual(['manifest.json', `${readable}.ef1`])
})

onFileServer('T151 T156 deleting all files during an archive download leaves that archive complete', async (server) => {
  const { createUser, store, call, bytesFolder } = server
  const ann = await createUser()
  const files = [
    await sealFile({ plainBytes: 20 * mebibyte, chunkBytes: mebibyte }),
    await sealFile({ plainBytes: 20 * mebibyte, chunkBytes: mebibyte }),
  ]
  const ids = [await store(ann, files[0] as TestFile), await store(ann, files[1] as TestFile)]
  const { answer } = await beginArchive(server, ann)
  answer.pause()

  const deleted = await call(ann, 'DELETE', '/api/files')
  const archive = await readRest(answer)
  const entries = await readEntries(archive)

  expect(deleted.json().deleted).toBe(2)
  for (const [at, id] of ids.entries())
    expect(entries.get(`${id}.ef1`)?.equals(files[at]?.sealed ?? Buffer.of())).toBe(true)
  await waitUntil(() => storedObjects(bytesFolder).length === 0)
})

onFileServer('T157 a client that disconnects stops the reading of all files', async (server) => {
  const { createUser, store, call, bytesFolder } = server
  const ann = await createUser()
  await store(ann, await sealFile({ plainBytes: 40 * mebibyte, chunkBytes: mebibyte }))
  const { request, answer } = await beginArchive(server, ann)
  answer.pause()
  await call(ann, 'DELETE', '/api/files')
  const before = storedObjects(bytesFolder).length

  request.destroy()

  await waitUntil(() => storedObjects(bytesFolder).length === 0)
  expect(before).toBe(40)
})

onFileServer('T156 missing bytes abort the archive instead of being left out', async (server) => {
  const { createUser, store, volumes, log } = server
  const ann = await createUser()
  const gone = await store(ann, await sealFile({ plainBytes: 10 }))
  await store(ann, await sealFile({ plainBytes: 1000 }))
  await volumes.all[0]?.remove(gone)

  const { answer } = await beginArchive(server, ann)

  await expect(readRest(answer)).rejects.toThrow('aborted')
  await waitUntil(() => log.join('').includes('ENOENT'))
})

const readRest = async (answer: IncomingMessage): Promise<Buffer> => Buffer.concat(await answer.toArray())
