import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NodeServer, startNodeServer } from './node-server.ts'

/** Another checkout can be tested, such as an earlier commit that a new test has to fail on. */
const checkout = process.env['TESTED_CHECKOUT'] ?? fileURLToPath(new URL('../../', import.meta.url))
const entry = join(checkout, 'apps/server/src/main.ts')
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

export interface BenchServer extends NodeServer {
  readonly dataFolder: string
}

export interface BenchServerOptions {
  /** Uses this data folder and leaves it in place; by default a new folder that is deleted with the server. */
  readonly dataFolder?: string
  /** Measures the ticks of the event loop, which has a small overhead. */
  readonly watchesTicks?: boolean
  /** Maximum number of sockets per account; null for the server's default. */
  readonly socketsPerAccount?: number | null
  /** More settings of the server. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the server on a free port with the compile cache, as `npm start` does after the first start. */
export async function startServer(options: BenchServerOptions = {}): Promise<BenchServer> {
  // A few accounts simulate many users.
  const { dataFolder, watchesTicks = false, socketsPerAccount = 1000, environment = {} } = options
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
  const server = await startNodeServer({
    args: [entry],
    environment: {
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      ...(socketsPerAccount !== null && { SOCKETS_PER_ACCOUNT: String(socketsPerAccount) }),
      ...environment,
    },
    watchesTicks,
  })
  return {
    ...server,
    dataFolder: folder,
    async stop() {
      await server.stop()
      if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
