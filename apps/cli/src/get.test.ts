import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCaller } from '@sallyport/client/call'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { createFileServer, digestOf, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import { expect, onTestFinished, test } from 'vitest'
import { run } from './run.ts'

const origin = 'https://files.example.org'
const bytes = patternBytes(3 * 1024 * 1024 + 11)

interface Given {
  readonly fault?: Fault
  readonly name?: string
  readonly isOutTerminal?: boolean
}

async function startParts({ fault, name = 'holiday.txt', isOutTerminal = false }: Given = {}) {
  const workingFolder = await mkdtemp(join(tmpdir(), 'sallyport-cli-'))
  onTestFinished(() => rm(workingFolder, { recursive: true }))
  const server = createFileServer((seen, count) =>
    seen.method === 'GET' && seen.path.startsWith('/api/share/') ? fault?.(seen, count) : undefined,
  )
  const file = await sealedFile(bytes, { name })
  const id = server.store(file.name, file.envelope, file.bytes)
  const fetch = server.fetch as typeof globalThis.fetch
  const call = createCaller({ baseUrl: origin, accessToken: async () => 'token', fetch })
  const link = await shareFile(call, { id, encryptedFileKey: file.envelope, accountKey, origin })
  const said = { out: '', side: '' }
  const stop = new AbortController()
  const sallyport = (...words: string[]) =>
    run({
      words,
      workingFolder,
      terminal: {
        out: (text) => {
          said.out += text
        },
        side: (text) => {
          said.side += text
        },
        isOutTerminal,
        isWatched: false,
      },
      fetch,
      signal: stop.signal,
    })
  return { workingFolder, server, id, link, said, stop, sallyport, saved: () => readdir(workingFolder) }
}

test('SHR-04 a shared file is fetched, opened and saved under its own name and time', async () => {
  const { sallyport, link, said, workingFolder, saved } = await startParts()

  const code = await sallyport('get', link)

  expect([code, said.side]).toEqual([0, 'holiday.txt: 3.00 MB, whole and verified\n'])
  expect(said.out).toBe(`${join(workingFolder, 'holiday.txt')}\n`)
  expect(await saved()).toEqual(['holiday.txt'])
  const path = join(workingFolder, 'holiday.txt')
  expect(digestOf(await readFile(path))).toBe(digestOf(bytes))
  expect((await stat(path)).mtimeMs).toBe(1_700_000_000_000)
})

test('the path is printed as it is for a program to read, and with visible joiners on a terminal', async () => {
  const folder = 'family \u{1f468}\u{200d}\u{1f467}'
  for (const isOutTerminal of [false, true]) {
    const { sallyport, link, said, workingFolder } = await startParts({ isOutTerminal })
    await mkdir(join(workingFolder, folder))

    await sallyport('get', link, '-o', join(workingFolder, folder))

    const path = join(workingFolder, folder, 'holiday.txt')
    expect(said.out).toBe(`${isOutTerminal ? path.replace('\u{200d}', '\\u{200d}') : path}\n`)
  }
})

test('a file that is there already is not written over', async () => {
  const { sallyport, link, workingFolder, saved } = await startParts()
  await writeFile(join(workingFolder, 'holiday.txt'), 'mine')

  const code = await sallyport('get', link)

  expect(code).toBe(0)
  expect((await saved()).sort()).toEqual(['holiday (2).txt', 'holiday.txt'])
  expect(await readFile(join(workingFolder, 'holiday.txt'), 'utf8')).toBe('mine')
})

test('-o names a file, or a folder to put it in', async () => {
  const { sallyport, link, workingFolder } = await startParts()
  const folder = join(workingFolder, 'kept')
  await mkdir(folder)

  const codes = [await sallyport('get', link, '-o', join(folder, 'b.bin')), await sallyport('get', link, '-o', folder)]

  expect(codes).toEqual([0, 0])
  expect((await readdir(folder)).sort()).toEqual(['b.bin', 'holiday.txt'])
})

test('-o refuses a file that is there already', async () => {
  const { sallyport, link, workingFolder, said } = await startParts()
  const path = join(workingFolder, 'mine.txt')
  await writeFile(path, 'mine')

  const code = await sallyport('get', link, '-o', path)

  expect([code, said.side]).toEqual([1, `sallyport: ${path} is there already\n`])
  expect(await readFile(path, 'utf8')).toBe('mine')
})

test('T040 a name that would lead elsewhere is made safe', async () => {
  const { sallyport, link, saved } = await startParts({ name: '../../etc/pass\u202ewd\u0000' })

  const code = await sallyport('get', link)

  expect(code).toBe(0)
  expect(await saved()).toEqual(['passwd'])
})

test('T029 nothing is left of a download that fails', async () => {
  const { sallyport, server, id, link, said, saved } = await startParts()
  const stored = server.stored.get(id)
  if (stored) stored.bytes.fill(0, 1_000_000, 1_000_001)

  const code = await sallyport('get', link)

  expect([code, said.side]).toEqual([1, 'sallyport: Failed to decrypt chunk 15\n'])
  expect(await saved()).toEqual([])
})

test('nothing is left of a download that is stopped', async () => {
  const parts = await startParts({
    fault: () => {
      setImmediate(() => parts.stop.abort())
      return 'hang'
    },
  })
  const { sallyport, link, saved } = parts

  const code = await sallyport('get', link)

  expect(code).toBe(130)
  expect(await saved()).toEqual([])
})

test('SHR-03 a link without its key is refused before anything is asked', async () => {
  const { sallyport, link, said, server } = await startParts()
  const asked = server.seen.length

  const code = await sallyport('get', link.slice(0, link.indexOf('#')))

  expect(code).toBe(1)
  expect(said.side).toMatch(/requires an encryption key/)
  expect(server.seen.length).toBe(asked)
})

test('a command line that makes no sense is a usage error', async () => {
  const { sallyport, link, said } = await startParts()

  const codes = [
    await sallyport(),
    await sallyport('put', link),
    await sallyport('get'),
    await sallyport('get', link, link),
    await sallyport('get', link, '--fast'),
  ]

  expect(codes).toEqual([2, 2, 2, 2, 2])
  expect(said.out).toBe('')
})

test('the program itself runs and explains itself', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--help'], {
    encoding: 'utf8',
  })

  expect(status).toBe(0)
  expect(stdout).toContain('sallyport get <share link>')
})
