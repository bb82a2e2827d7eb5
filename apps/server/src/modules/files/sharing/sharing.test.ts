import { randomBytes } from 'node:crypto'
import { describeInterface } from '@sallyport/contract/openapi'
import { sharing } from '@sallyport/contract/sharing'
import { shareProof as proofOf } from '@sallyport/crypto'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { type FileServer, onFileServerWithBothDatabases, waitUntil } from '../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024
const otherShareKey = new Uint8Array(32).fill(7)
const apiPath = (shareUrl: string): string => shareUrl.replace('/s/', '/api/share/')

interface Described {
  readonly get: { readonly responses: Readonly<Record<string, { readonly headers?: object }>> }
}

/** A request of a stranger, without a bearer token. */
const visit = ({ app }: FileServer, method: 'GET' | 'HEAD', url: string, headers = {}) =>
  app.inject({ method, url, headers })

async function createSharedFile(server: FileServer, { plainBytes = 2 * recordBytes + 5, withProof = false } = {}) {
  const owner = await server.createUser()
  const file = await sealFile({ plainBytes })
  const fileId = await server.store(owner, file)
  const shareKey = new Uint8Array(randomBytes(32))
  const shareProof = Buffer.from(await proofOf(shareKey)).toString('base64url')
  const answer = await server.share(owner, fileId, { file, shareKey, ...(withProof && { shareProof }) })
  const { shareUrl } = answer.json()
  return { owner, file, fileId, shareKey, shareProof, shareUrl, path: apiPath(shareUrl) }
}

onFileServerWithBothDatabases(
  'SHR-01 SHR-04 a share gives a stranger the sealed bytes and the key for the link',
  async (server) => {
    const { file, fileId, owner, shareUrl, path } = await createSharedFile(server)

    const head = await visit(server, 'HEAD', path)
    const download = await visit(server, 'GET', path)
    const range = await visit(server, 'GET', path, { range: `bytes=${recordBytes}-` })

    const { files } = (await server.call(owner, 'GET', '/api/files')).json()
    expect(shareUrl).toMatch(/^\/s\/[A-Za-z0-9_-]{22}$/)
    expect(files[0]).toMatchObject({ id: fileId, shared: true })
    for (const answer of [head, download]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'x-share-encrypted-file-key': expect.stringMatching(/^[A-Za-z0-9_-]{200}$/),
        'x-expires-at': String(files[0].expiresAt),
        'x-chunk-size': String(recordBytes),
        'content-length': String(file.sealed.length),
        'content-disposition': `attachment; filename="${file.name}"`,
        'cache-control': 'no-store',
      })
    }
    expect(head.rawPayload).toHaveLength(0)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
    expect(range.statusCode).toBe(206)
    expect(range.rawPayload.equals(file.sealed.subarray(recordBytes))).toBe(true)
  },
)

onFileServerWithBothDatabases('the OpenAPI document names the headers that a share sends', async (server) => {
  const { path } = await createSharedFile(server)
  const responses = {
    200: await visit(server, 'GET', path),
    206: await visit(server, 'GET', path, { range: 'bytes=0-9' }),
  }

  const { paths } = describeInterface([sharing.download], '0')

  for (const [status, response] of Object.entries(responses)) {
    const described = (paths['/api/share/{token}'] as unknown as Described).get.responses[status]
    const headers = described?.headers ?? {}
    expect(Object.keys(headers)).toContain('X-Share-Encrypted-File-Key')
    for (const name of Object.keys(headers)) expect(response.headers, name).toHaveProperty(name.toLowerCase())
  }
})

onFileServerWithBothDatabases(
  'SHR-01 the same share key gets the same link, another key another link',
  async (server) => {
    const { file, fileId, owner, shareKey, shareUrl } = await createSharedFile(server)

    const repeated = (await server.share(owner, fileId, { file, shareKey })).json()
    const other = (await server.share(owner, fileId, { file, shareKey: otherShareKey })).json()
    const newest = (await server.call(owner, 'POST', `/api/file/${fileId}/share`)).json()

    expect(repeated.shareUrl).toBe(shareUrl)
    expect(other.shareUrl).not.toBe(shareUrl)
    expect(newest.shareUrl).toBe(other.shareUrl)
    for (const url of [shareUrl, other.shareUrl]) {
      expect((await visit(server, 'GET', apiPath(url))).rawPayload.equals(file.sealed)).toBe(true)
    }
  },
)

onFileServerWithBothDatabases('the token of a share is stored only as its hash', async (server) => {
  const { shareUrl } = await createSharedFile(server)

  const rows = await server.db.selectFrom('shares').selectAll().execute()

  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(shareUrl.slice('/s/'.length))
})

onFileServerWithBothDatabases('a share created with a proof serves its bytes only with the proof', async (server) => {
  const { file, path, shareProof } = await createSharedFile(server, { withProof: true })
  const wrong = Buffer.from(randomBytes(32)).toString('base64url')

  const answers = [
    await visit(server, 'GET', path),
    await visit(server, 'GET', path, { 'x-share-proof': wrong }),
    await visit(server, 'GET', path, { 'x-share-proof': '' }),
    await visit(server, 'GET', path, { range: 'bytes=0-10' }),
  ]
  const head = await visit(server, 'HEAD', path)
  const withValidProof = await visit(server, 'GET', path, { 'x-share-proof': shareProof })

  for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([403, 'SHARE_PROOF_REQUIRED'])
  expect(head.statusCode).toBe(200)
  expect(withValidProof.rawPayload.equals(file.sealed)).toBe(true)
})

onFileServerWithBothDatabases('a proof added later applies to the existing link', async (server) => {
  const { file, fileId, owner, path, shareKey, shareProof } = await createSharedFile(server)

  await server.share(owner, fileId, { file, shareKey, shareProof })
  await server.share(owner, fileId, { file, shareKey })

  expect((await visit(server, 'GET', path)).statusCode).toBe(403)
  expect((await visit(server, 'GET', path, { 'x-share-proof': shareProof })).statusCode).toBe(200)
})

onFileServerWithBothDatabases(
  'T113 HEAD requests and small ranges count nothing, a whole download counts one',
  async (server) => {
    const { owner, path } = await createSharedFile(server)
    const downloads = async () => (await server.call(owner, 'GET', '/api/files')).json().files[0].downloads

    await visit(server, 'HEAD', path)
    await visit(server, 'GET', path, { range: 'bytes=0-10' })
    await visit(server, 'GET', path, { range: 'bytes=-10' })
    const before = await downloads()
    await visit(server, 'GET', path)
    await waitUntil(async () => (await downloads()) > 0)

    expect(before).toBe(0)
    expect(await downloads()).toBe(1)
  },
)

onFileServerWithBothDatabases('SHR-04 a revoked share gets 404, and so does revoking it again', async (server) => {
  const { owner, fileId, path } = await createSharedFile(server)

  const revoked = await server.call(owner, 'DELETE', `/api/file/${fileId}/share`)
  const repeated = await server.call(owner, 'DELETE', `/api/file/${fileId}/share`)
  const address = await server.call(owner, 'POST', `/api/file/${fileId}/share`)
  const download = await visit(server, 'GET', path)

  expect(revoked.statusCode).toBe(200)
  for (const answer of [repeated, address]) expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_SHARED'])
  expect([download.statusCode, download.json().error]).toEqual([404, 'File not found or expired'])
  expect((await server.call(owner, 'GET', '/api/files')).json().files[0].shared).toBe(false)
})

onFileServerWithBothDatabases('deleting a file deletes its shares', async (server) => {
  const { owner, fileId, path } = await createSharedFile(server)

  await server.call(owner, 'DELETE', `/api/file/${fileId}`)

  expect((await visit(server, 'GET', path)).statusCode).toBe(404)
  expect(await server.db.selectFrom('shares').selectAll().execute()).toEqual([])
})

onFileServerWithBothDatabases('only the wrapped key of the same file can be shared', async (server) => {
  const { file, fileId, owner } = await createSharedFile(server)
  const other = await sealFile({ plainBytes: file.plain.length })
  const share = (shareEncryptedFileKey: string) =>
    server.call(owner, 'POST', `/api/file/${fileId}/share-zk`, { payload: { shareEncryptedFileKey } })

  const ofOther = await share(await other.wrap('share', otherShareKey))
  const forAccount = await share(file.envelope)
  const noEnvelope = await share('A'.repeat(200))

  expect(ofOther.json().code).toBe('ENVELOPE_KIND')
  expect(forAccount.json().code).toBe('ENVELOPE_KIND')
  expect(noEnvelope.json().code).toBe('ENVELOPE_INVALID')
})

onFileServerWithBothDatabases(
  'SHR-02 T163 T166 a key in a share request gets 400 and is not logged',
  async (server) => {
    const { file, fileId, owner, path } = await createSharedFile(server)
    const secret = Buffer.from(file.rootKey).toString('base64url')
    const url = `/api/file/${fileId}/share`
    const headers = (name: string) => ({ ...server.bearerOf(owner), [name]: secret })

    const answers = [
      await server.call(owner, 'POST', url, { headers: headers('x-master-key') }),
      await server.call(owner, 'POST', url, { headers: headers('master-key') }),
      await server.call(owner, 'POST', url, { headers: headers('x-encryption-key') }),
      await server.call(owner, 'POST', url, { payload: { masterKey: secret } }),
      await visit(server, 'GET', `${path}?master_key=${secret}`),
      await visit(server, 'GET', `${path}?sw_decrypt=1`),
      await visit(server, 'GET', `${path}?filename=${secret}`),
    ]
    const without = await server.call(owner, 'POST', url, { payload: {} })

    for (const answer of answers) {
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'KEY_IN_REQUEST'])
      expect(answer.json().error).toBe('Keys must not be sent to the server. Use share-zk.')
    }
    expect(without.json()).toMatchObject({ success: true, shareUrl: expect.stringMatching(/\/s\/[\w-]{22}$/) })
    expect(server.log.join('')).not.toContain(secret)
  },
)

onFileServerWithBothDatabases(
  'guessing share tokens is rate limited; visits of existing shares do not count',
  async (server) => {
    const { path } = await createSharedFile(server)
    const guess = () => visit(server, 'HEAD', `/api/share/${randomBytes(16).toString('base64url')}`)
    for (let count = 0; count < 100; count += 1) await visit(server, 'HEAD', path)

    const statuses = []
    for (let count = 0; count < 61; count += 1) statuses.push((await guess()).statusCode)
    const refused = await visit(server, 'GET', path)
    server.advance(60_000)
    const later = await visit(server, 'GET', path)

    expect(statuses).toEqual([...Array(60).fill(404), 429])
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(later.statusCode).toBe(200)
  },
)
