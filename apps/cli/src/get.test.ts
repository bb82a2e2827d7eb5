import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCaller } from '@sallyport/client/call'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { createFileServer, digestOf, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import type { RecordRange } from '@sallyport/transfers/engine/download/plan'
import { addRecord } from '@sallyport/transfers/node/part-file'
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
  const runWith = (signal: AbortSignal, args: readonly string[]) =>
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
      signal,
    })
  const runCli = (...args: string[]) => runWith(abortController.signal, args)
  const runAgain = (...args: string[]) => runWith(new AbortController().signal, args)
  return {
    workingFolder,
    server,
    id,
    link,
    output,
    abortController,
    runCli,
    runAgain,
    saved: () => readdir(workingFolder),
  }
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
  if (stored) stored.bytes[1_000_000] = Number(stored.bytes[1_000_000]) ^ 1

  const code = await runCli('get', link)

  expect([code, output.stderr]).toEqual([1, 'sallyport: Failed to decrypt chunk 15\n'])
  expect(await saved()).toEqual([])
})

test('SHR-04 a file whose bytes are lost is requested once and named as lost', async () => {
  const body = { success: false, error: 'lost', code: 'FILE_BYTES_LOST' }
  const { runCli, link, output, server } = await startCli({
    fault: ({ method }) => (method === 'GET' ? Response.json(body, { status: 410 }) : undefined),
  })

  const code = await runCli('get', link)

  expect([code, output.stderr]).toEqual([1, 'sallyport: The server has lost this file\n'])
  expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1)
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

/** Breaks the response after a megabyte and stops the program while it waits for the server. */
async function startStoppedCli() {
  let isFirstRun = true
  const cli = await startCli({
    fault: () => {
      if (!isFirstRun) return undefined
      setTimeout(() => cli.abortController.abort(), 300)
      return { breakAfter: 1_000_000 }
    },
  })
  const code = await cli.runCli('get', cli.link)
  isFirstRun = false
  const gets = () => cli.server.requests.filter(({ method, path }) => method === 'GET' && path.includes('/share/'))
  return { ...cli, code, gets, requestsBefore: gets().length }
}

test('SHR-04 a stopped download resumes with the same command and counts as one', async () => {
  const { code, output, saved, link, workingFolder, runAgain, gets, requestsBefore } = await startStoppedCli()
  const savedFiles = await saved()
  output.stderr = ''

  const codeAgain = await runAgain('get', link)

  expect([code, codeAgain]).toEqual([130, 0])
  expect(savedFiles.sort()).toEqual([
    expect.stringMatching(/^\.holiday\.txt\.[0-9a-f]{8}\.part$/),
    expect.stringMatching(/^\.holiday\.txt\.[0-9a-f]{8}\.part\.json$/),
  ])
  const resumed = gets().slice(requestsBefore)
  expect(resumed).toHaveLength(1)
  expect(resumed[0]?.headers.get('range')).toMatch(/^bytes=[1-9]\d{5,}-/)
  expect(new Set(gets().map(({ headers }) => headers.get('x-share-claim'))).size).toBe(1)
  expect(await saved()).toEqual(['holiday.txt'])
  expect(digestOf(await readFile(join(workingFolder, 'holiday.txt')))).toBe(digestOf(bytes))
})

test('a part file of another file, of unknown origin or without its journal is not resumed', async () => {
  for (const change of ['journal of another file', 'no journal', 'writable by others'] as const) {
    const { saved, link, workingFolder, runAgain, gets, requestsBefore } = await startStoppedCli()
    const [part = '', journal = ''] = (await saved()).sort().map((name) => join(workingFolder, name))
    if (change === 'no journal') await rm(journal)
    else if (change === 'writable by others') await chmod(part, 0o666)
    else await writeFile(journal, (await readFile(journal, 'utf8')).replace(/"fingerprint":"../, '"fingerprint":"xx'))
    await writeFile(part, Buffer.alloc(500_000))

    expect(await runAgain('get', link)).toBe(0)

    expect(gets()[requestsBefore]?.headers.get('range'), change).toBeNull()
    expect(digestOf(await readFile(join(workingFolder, 'holiday.txt'))), change).toBe(digestOf(bytes))
  }
})

test('ranges of records join when they meet', () => {
  const ranges: RecordRange[] = []
  for (const record of [5, 0, 6, 2, 1, 4]) addRecord(ranges, record)

  expect(ranges).toEqual([
    { first: 0, end: 3 },
    { first: 4, end: 7 },
  ])
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

test('an unknown option, a missing value and a link of another protocol are named', async () => {
  const { runCli, link, output } = await startCli()
  const errors: string[] = []
  for (const args of [
    ['get', link, '--fast'],
    ['get', link, '-x'],
    ['get', link, '-o'],
    ['get', `ftp${link.slice(5)}`],
  ]) {
    output.stderr = ''
    expect(await runCli(...args)).toBe(2)
    errors.push(output.stderr.split('\n')[0] ?? '')
  }

  expect(errors).toEqual([
    'sallyport: Unknown option: “--fast”',
    'sallyport: Unknown option: “-x”',
    'sallyport: -o expects a file or a folder',
    'sallyport: The share link must start with https:// or http://',
  ])
})

test('--version prints the version', async () => {
  const { runCli, output } = await startCli()

  expect(await runCli('--version')).toBe(0)
  expect(output.stdout).toMatch(/^sallyport \d+\.\d+\.\d+\n$/)
})

test('the program runs and prints its help', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--help'], {
    encoding: 'utf8',
  })

  expect(status).toBe(0)
  expect(stdout).toContain('sallyport get <share link>')
})
