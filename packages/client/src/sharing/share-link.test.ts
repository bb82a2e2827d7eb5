import { expect, test } from 'vitest'
import { createCaller } from '../call.ts'
import { ApiError } from '../errors.ts'
import { createFileServer, type Fault, shareTokenFor } from '../testing/file-server.ts'
import { accountKey, patternBytes, sealedFile } from '../testing/files.ts'
import { findShareLink, shareFile } from './share-link.ts'
import { lookAtShare, openShareLink } from './shared-file.ts'

const origin = 'https://files.example.org'

async function startParts(fault?: Fault) {
  const server = createFileServer(fault)
  const file = await sealedFile(patternBytes(200_000))
  const id = server.store(file.name, file.envelope, file.bytes)
  const fetch = server.fetch as typeof globalThis.fetch
  const call = createCaller({ baseUrl: origin, accessToken: async () => 'token', fetch })
  const anonymousCall = createCaller({ baseUrl: origin, accessToken: async () => null, fetch })
  const share = () => shareFile(call, { id, originalName: file.name, accountKey, origin })
  return { server, file, id, call, anonymousCall, share }
}

const answer =
  (path: RegExp, response: () => Response): Fault =>
  (seen) =>
    path.test(seen.path) ? response() : undefined

test('SHR-01 a link carries its key behind the # and nothing of it to the server', async () => {
  const { share, server, id } = await startParts()

  const link = await share()

  const { pathname, hash } = new URL(link)
  expect(pathname).toBe(`/s/${shareTokenFor(id)}`)
  expect(hash).toMatch(/^#[A-Za-z0-9_-]{48}$/)
  const key = hash.slice(2, 40)
  for (const { path, headers, body } of server.seen) {
    expect(path).not.toContain(key)
    expect(JSON.stringify([...headers])).not.toContain(key)
    expect(new TextDecoder().decode(body)).not.toContain(key)
  }
})

test('SHR-01 sharing a file again gives the same link', async () => {
  const { share } = await startParts()

  expect(await share()).toBe(await share())
})

test('SHR-01 a link that was made before is found again, and none where there is none', async () => {
  const { share, call, id, file } = await startParts()
  const wanted = { id, accountKey, origin }

  const before = await findShareLink(call, wanted, file.keys)
  const link = await share()

  expect(before).toBeNull()
  expect(await findShareLink(call, wanted, file.keys)).toBe(link)
})

test('SHR-03 a link tells a stranger name, type, size and end of the file', async () => {
  const { share, anonymousCall } = await startParts()
  const opened = await openShareLink(await share())

  const shared = await lookAtShare(anonymousCall, opened)

  expect(opened.origin).toBe(origin)
  expect(shared).toMatchObject({
    name: 'holiday.txt',
    mimeType: 'text/plain',
    plainBytes: 200_000,
    expiresAt: 1_800_000_000_000,
  })
})

test('SHR-03 a link whose # became %23 on its way is mended', async () => {
  const { share, anonymousCall } = await startParts()
  const link = await share()

  for (const mangled of [link.replace('#', '%23'), link.replace('#', '%2523'), ` ${link}\n`]) {
    const shared = await lookAtShare(anonymousCall, await openShareLink(mangled))
    expect(shared.name).toBe('holiday.txt')
  }
})

const incomplete =
  'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #'

test('T038 SHR-03 a link without its key, or with half of it, says what is missing', async () => {
  const { share } = await startParts()
  const link = await share()
  const bare = link.slice(0, link.indexOf('#'))

  for (const broken of [bare, `${bare}#`, link.slice(0, -1), link.slice(0, -20)]) {
    await expect(openShareLink(broken)).rejects.toThrow(incomplete)
  }
})

test('T038 SHR-04 a mistyped link is invalid before anything is asked of the server', async () => {
  const { share, server } = await startParts()
  const link = await share()
  const asked = server.seen.length
  const other = link.endsWith('A') ? 'B' : 'A'
  const middle = link.indexOf('#') + 10
  const swapped = link[middle] === 'x' ? 'y' : 'x'

  for (const broken of [
    link.slice(0, -1) + other,
    link.slice(0, middle) + swapped + link.slice(middle + 1),
    `${link}A`,
    link.replace('/s/', '/t/'),
    `${origin}/s/#${new URL(link).hash}`,
    'no link',
    '',
  ]) {
    await expect(openShareLink(broken)).rejects.toThrow('Invalid share link')
  }
  expect(server.seen.length).toBe(asked)
})

test('SHR-04 a link whose file is gone says so', async () => {
  const { share, anonymousCall, server } = await startParts()
  const opened = await openShareLink(await share())
  server.stored.clear()

  await expect(lookAtShare(anonymousCall, opened)).rejects.toThrow('File not found or expired')
})

test('SHR-04 any other answer to a link is told by its status', async () => {
  const { share, anonymousCall } = await startParts(answer(/api.share/, () => new Response(null, { status: 500 })))
  const opened = await openShareLink(await share())

  await expect(lookAtShare(anonymousCall, opened)).rejects.toThrow('Download failed: 500')
})

test('SHR-04 an answer without a wrapped key, or with a broken one, says so', async () => {
  for (const headers of [{}, { 'X-Share-Encrypted-File-Key': 'AAAA' }]) {
    const { share, anonymousCall } = await startParts(answer(/api.share/, () => new Response(null, { headers })))
    const opened = await openShareLink(await share())

    await expect(lookAtShare(anonymousCall, opened)).rejects.toThrow(
      'No share-encrypted file key found. This share link may be corrupted or expired.',
    )
  }
})

test('SHR-04 the key of another file’s link does not open this one', async () => {
  const first = await startParts()
  const second = await startParts()
  const [mine, other] = [await openShareLink(await first.share()), await openShareLink(await second.share())]

  const looking = lookAtShare(first.anonymousCall, { token: mine.token, shareKey: other.shareKey })

  await expect(looking).rejects.toThrow('Invalid share link')
})

test('T017 a name that belongs to another file is not shown', async () => {
  const { share, anonymousCall, server, id } = await startParts()
  const other = await sealedFile(patternBytes(200_000))
  const opened = await openShareLink(await share())
  const stored = server.stored.get(id)
  if (stored) server.stored.set(id, { ...stored, name: other.name })

  const shared = await lookAtShare(anonymousCall, opened)

  expect(shared.name).toBe('Unreadable name')
})

test('SHR-05 each step of sharing that is refused is named with its status, and stays a refusal', async () => {
  const failing = (path: RegExp) => startParts(answer(path, () => new Response('', { status: 500 })))
  const keyRefused = await failing(/\/key$/)
  const shareRefused = await failing(/share-zk$/)
  const addressRefused = await failing(/share$/)
  const wanted = { id: addressRefused.id, accountKey, origin }

  await expect(keyRefused.share()).rejects.toThrow('Failed to get encrypted file key: 500')
  await expect(shareRefused.share()).rejects.toThrow('Failed to create zero-knowledge share link: 500')
  await expect(shareRefused.share()).rejects.toBeInstanceOf(ApiError)
  await expect(findShareLink(addressRefused.call, wanted, addressRefused.file.keys)).rejects.toThrow(
    'Failed to generate share link: 500',
  )
})

test('SHR-05 a key that the server answers shares no other file than the one that was chosen', async () => {
  const { server, file, id, call } = await startParts((seen) =>
    seen.path === `/api/file/${chosen.id}/key`
      ? Response.json({ success: true, encryptedFileKey: chosen.other.envelope })
      : undefined,
  )
  const chosen = { id, other: await sealedFile(patternBytes(100), { name: 'taxes.txt' }) }
  const refused = 'No encrypted file key available for sharing'

  await expect(shareFile(call, { id, originalName: file.name, accountKey, origin })).rejects.toThrow(refused)
  await expect(shareFile(call, { id, accountKey, origin })).rejects.toThrow(refused)

  expect(server.seen.map(({ path }) => path).filter((path) => path.includes('share'))).toEqual([])
})

test('SHR-05 a file without a key cannot be shared', async () => {
  const { call, id, server } = await startParts()

  const sharing = shareFile(call, { id, accountKey, origin, encryptedFileKey: '' })

  await expect(sharing).rejects.toThrow('No encrypted file key available for sharing')
  expect(server.seen).toEqual([])
})

const token = 'AbCdEfGhIjKlMnOpQrSt_-'
const lies = [
  `https://collector.example/s/${token}`,
  `//collector.example/s/${token}`,
  `/\\collector.example/s/${token}`,
  `https:collector.example/s/${token}`,
  `javascript:alert(1)`,
  `data:text/html,/s/${token}`,
  `${origin}/s/${token}`,
  `/s/../collect/${token}`,
  `/s/${token}?to=collector.example`,
  `/s/${token}#collector`,
  `/s/${token}/`,
  `/s/${token}\n`,
  `/collect/${token}`,
  `s/${token}`,
  `/s/${token.slice(1)}`,
  `/s/${token}A`,
  `/s/${token.slice(1)}%2F`,
  `/s/${token.slice(1)}é`,
  '',
]

test.each(lies)('SHR-01 a share key goes with no address that the server names: %j', async (shareUrl) => {
  const answered = { success: true, shareUrl, downloads: 0, lastDownloadAt: null, maxDownloads: null, label: null }
  const { share, call, id, file } = await startParts(answer(/share(-zk)?$/, () => Response.json(answered)))

  await expect(share()).rejects.toMatchObject({ code: 'SHARE_ADDRESS_INVALID' })
  await expect(findShareLink(call, { id, accountKey, origin }, file.keys)).rejects.toMatchObject({
    code: 'SHARE_ADDRESS_INVALID',
  })
})
