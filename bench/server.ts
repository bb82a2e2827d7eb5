import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

export interface BenchServer {
  readonly url: string
  readonly processId: number
  readonly dataFolder: string
  stop(): Promise<void>
}

interface Wishes {
  /** Starts on what lies here and leaves it; without it, on an empty folder that goes with the server. */
  readonly dataFolder?: string
}

/** Starts the server as `npm start` does from the second time on, on a free port. */
export async function startServer({ dataFolder }: Wishes = {}): Promise<BenchServer> {
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
  const child = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      // A few accounts stand for many people here.
      SOCKETS_PER_ACCOUNT: '1000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  const url = await new Promise<string>((resolve, reject) => {
    let written = ''
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}\n${written}`)))
    child.stdout.on('data', (piece) => {
      written = `${written}${piece}`.slice(-10_000)
      const found = /"url":"(http:[^"]+)"/.exec(written)?.[1]
      if (found) resolve(found)
    })
  })

  return {
    url,
    processId: child.pid ?? 0,
    dataFolder: folder,
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', endWithUs)
      if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
