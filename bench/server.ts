import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NodeServer, startNodeServer } from './node-server.ts'

const entry = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

export interface BenchServer extends NodeServer {
  readonly dataFolder: string
}

export interface ServerWishes {
  /** Starts on what lies here and leaves it; without it, on an empty folder that goes with the server. */
  readonly dataFolder?: string
  /** Watches the ticks of its event loop, which costs a little. */
  readonly watchesTicks?: boolean
  /** How many sockets an account may open; null for what the server allows by itself. */
  readonly socketsPerAccount?: number | null
}

/** Starts the server as `npm start` does from the second time on, on a free port. */
export async function startServer(options: ServerWishes = {}): Promise<BenchServer> {
  // A few accounts stand for many people here.
  const { dataFolder, watchesTicks = false, socketsPerAccount = 1000 } = options
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
  const server = await startNodeServer({
    words: [entry],
    environment: {
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      ...(socketsPerAccount !== null && { SOCKETS_PER_ACCOUNT: String(socketsPerAccount) }),
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
