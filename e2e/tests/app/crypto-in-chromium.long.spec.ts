import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import type { SuiteResult } from '../../../packages/crypto/src/testing/browser-suite.ts'

const suitePath = resolve(import.meta.dirname, '../../../packages/crypto/src/testing/browser-suite.ts')

// WebAssembly for Argon2id; otherwise no more than the policy of the product.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"

test('T002 every test vector passes in a page and in a worker of this browser', async ({ page }) => {
  test.setTimeout(600_000)
  const folder = await bundleSuite()
  const server = await serve(folder)
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction(() => 'results' in globalThis, undefined, { timeout: 560_000 })
    const results = await page.evaluate(() => (globalThis as unknown as { results: Results }).results)

    expect(results.isSecureContext).toBe(true)
    for (const { passed, failed } of [results.inPage, results.inWorker]) {
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThanOrEqual(160)
    }
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})

interface Results {
  readonly isSecureContext: boolean
  readonly inPage: SuiteResult
  readonly inWorker: SuiteResult
}

/** Bundles the suite to run once in the page and once in a worker. */
async function bundleSuite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crypto-suite-'))
  const suite = JSON.stringify(suitePath)
  await writeFile(
    join(folder, 'worker.js'),
    `import { runSuite } from ${suite}
    runSuite().then((result) => postMessage(result))`,
  )
  await writeFile(
    join(folder, 'page.js'),
    `import { runSuite } from ${suite}
    const inPage = await runSuite()
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    const inWorker = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = reject
    })
    globalThis.results = { isSecureContext, inPage, inWorker }`,
  )
  await writeFile(join(folder, 'index.html'), '<!doctype html><script type="module" src="./page.js"></script>')
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: join(folder, 'dist'), target: 'esnext', chunkSizeWarningLimit: 4096 },
  })
  return folder
}

async function serve(folder: string): Promise<Server> {
  const typeOf = (path: string) => (path.endsWith('.js') ? 'text/javascript' : 'text/html')
  const server = createServer(async ({ url = '/' }, response) => {
    const path = url === '/' ? '/index.html' : url
    try {
      const body = await readFile(join(folder, 'dist', path))
      response.writeHead(200, { 'content-type': typeOf(path), 'content-security-policy': policy }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  return server
}
