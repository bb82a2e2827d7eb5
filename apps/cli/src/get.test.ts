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

interface StartCliOptions {
  readonly fault?: Fault
  readonly name?: string
  readonly isStdoutTerminal?: boolean
}

async function startCli({ fault, name = 'holiday.txt', isStdoutTerminal = false }: StartCliOptions = {}) {
  const workingFolder = await mkdtemp(join(tmpdir(), 'sallyport-cli-'))
  onTestFinished(() => rm(workingFolder, { recursive: true }))
  const server = createFileServer((seen, count) =>
    seen.method === 'GET' && seen.path.startsWith('/api/share/') ? fault?.(seen, count) : undefined,
  )
  const file = await sealedFile(bytes, { name })
  const id = server.store(file.name, file.envelope, file.bytes)
  const fetch = server.fetch as typeof globalThis.fetch
  const call = createCaller({ baseUrl: origin, getAccessToken: async () => 'token', fetch })
  const link = await shareFile(call, { id, encryptedFileKey: file.envelope, accountKey, origin })
  const output = { stdout: '', stderr: '' }
  const abortController = new AbortController()
  const runCli = (...args: string[]) =>
    run({
      args,
      workingFolder,
      terminal: {
        writeStdout: (text) => {
          output.stdout += text
        },
        writeStderr: (text) => {
          output.stderr += text
        },
        isStdoutTerminal,
        isStderrTerminal: false,
      },
      fetch,
      signal: abortController.signal,
    })
  return { workingFolder, server, id, link, output, abortController, runCli, saved: () => readdir(workingFolder) }
}

test('SHR-04 get downloads, decrypts and saves a shared file with its name and modification time', async () => {
  const { runCli, link, output, workingFolder, saved } = await startCli()

  const code = await runCli('get', link)

  expect([code, output.stderr]).toEqual([0, 'holiday.txt: 3.00 MB, complete and verified\n'])
  expect(output.stdout).toBe(`${join(workingFolder, 'holiday.txt')}\n`)
  expect(await saved()).toEqual(['holiday.txt'])
  const path = join(workingFolder, 'holiday.txt')
  expect(digestOf(await readFile(path))).toBe(digestOf(bytes))
  expect((await stat(path)).mtimeMs).toBe(1_700_000_000_000)
})

test('get prints the path unchanged to a pipe, and with escaped joiners to a terminal', async () => {
  const folder = 'family \u{1f468}\u{200d}\u{1f467}'
  for (const isStdoutTerminal of [false, true]) {
    const { runCli, link, output, workingFolder } = await startCli({ isStdoutTerminal })
    await mkdir(join(workingFolder, folder))

    await runCli('get', link, '-o', join(workingFolder, folder))

    const path = join(workingFolder, folder, 'holiday.txt')
    expect(output.stdout).toBe(`${isStdoutTerminal ? path.replace('\u{200d}', '\\u{200d}') : path}\n`)
  }
})

test('get does not overwrite an existing file', async () => {
  const { runCli, link, workingFolder, saved } = await startCli()
  await writeFile(join(workingFolder, 'holiday.txt'), 'mine')

  const code = await runCli('get', link)

  expect(code).toBe(0)
  expect((await saved()).sort()).toEqual(['holiday (2).txt', 'holiday.txt'])
  expect(await readFile(join(workingFolder, 'holiday.txt'), 'utf8')).toBe('mine')
})

test('-o accepts a file or a folder', async () => {
  const { runCli, link, workingFolder } = await startCli()
  const folder = join(workingFolder, 'kept')
  await mkdir(folder)

  const codes = [await runCli('get', link, '-o', join(folder, 'b.bin')), await runCli('get', link, '-o', folder)]

  expect(codes).toEqual([0, 0])
  expect((await readdir(folder)).sort()).toEqual(['b.bin', 'holiday.txt'])
})

test('-o rejects an existing file', async () => {
  const { runCli, link, workingFolder, output } = await startCli()
  const path = join(workingFolder, 'mine.txt')
  await writeFile(path, 'mine')

  const code = await runCli('get', link, '-o', path)

  expect([code, output.stderr]).toEqual([1, `sallyport: ${path} already exists\n`])
  expect(await readFile(path, 'utf8')).toBe('mine')
})

test('T040 an unsafe file name is sanitized', async () => {
  const { runCli, link, saved } = await startCli({ name: '../../etc/pass\u202ewd\u0000' })

  const code = await runCli('get', link)

  expect(code).toBe(0)
  expect(await saved()).toEqual(['passwd'])
})

test('T029 a failed download leaves no file', async () => {
  const { runCli, server, id, link, output, saved } = await startCli()
  const stored = server.stored.get(id)
  if (stored) stored.bytes.fill(0, 1_000_000, 1_000_001)

  const code = await runCli('get', link)

  expect([code, output.stderr]).toEqual([1, 'sallyport: Failed to decrypt chunk 15\n'])
  expect(await saved()).toEqual([])
})

test('an aborted download leaves no file', async () => {
  const cli = await startCli({
    fault: () => {
      setImmediate(() => cli.abortController.abort())
      return 'hang'
    },
  })
  const { runCli, link, saved } = cli

  const code = await runCli('get', link)

  expect(code).toBe(130)
  expect(await saved()).toEqual([])
})

test('SHR-03 a link without a key is rejected before any request', async () => {
  const { runCli, link, output, server } = await startCli()
  const requestCount = server.requests.length

  const code = await runCli('get', link.slice(0, link.indexOf('#')))

  expect(code).toBe(1)
  expect(output.stderr).toMatch(/requires an encryption key/)
  expect(server.requests.length).toBe(requestCount)
})

test('an invalid command line exits with 2', async () => {
  const { runCli, link, output } = await startCli()

  const codes = [
    await runCli(),
    await runCli('put', link),
    await runCli('get'),
    await runCli('get', link, link),
    await runCli('get', link, '--fast'),
  ]

  expect(codes).toEqual([2, 2, 2, 2, 2])
  expect(output.stdout).toBe('')
})

test('the program runs and prints its help', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--help'], {
    encoding: 'utf8',
  })

  expect(status).toBe(0)
  expect(stdout).toContain('sallyport get <share link>')
})
