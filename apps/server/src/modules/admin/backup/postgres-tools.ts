import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface PostgresTools {
  /** The folder of `pg_dump` and `pg_restore`; null uses the PATH. */
  readonly folder: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Returns the major version of a tool; null if there is none. */
export async function findToolVersion(tools: PostgresTools, name: 'pg_dump' | 'pg_restore'): Promise<number | null> {
  const child = spawn(pathOf(tools, name), ['--version'], { env: { ...tools.environment } })
  const output: string[] = []
  child.stdout.on('data', (piece) => void output.push(String(piece)))
  const code = await exitOf(child).catch(() => null)
  const version = /(\d+)/.exec(output.join(''))?.[1]
  return code === 0 && version !== undefined ? Number(version) : null
}

/** Dumps a database as it is in this snapshot. `consume` reads the dump. */
export async function dumpDatabase<Result>(
  tools: PostgresTools,
  { url, snapshot }: { readonly url: string; readonly snapshot: string },
  consume: (dump: Readable) => Promise<Result>,
): Promise<Result> {
  const args = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`]
  const child = spawn(pathOf(tools, 'pg_dump'), [...args, ...connectionArgs(url)], {
    env: connectionEnvironment(tools, url),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = waitForTool(child, 'pg_dump')
  ended.catch(() => undefined)
  try {
    const result = await consume(child.stdout)
    await ended
    return result
  } catch (error) {
    child.kill()
    throw error
  }
}

/** Restores a dump into an empty database in one transaction. */
export async function restoreDatabase(tools: PostgresTools, url: string, dump: Readable): Promise<void> {
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
  const child = spawn(pathOf(tools, 'pg_restore'), [...args, ...connectionArgs(url)], {
    env: connectionEnvironment(tools, url),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = waitForTool(child, 'pg_restore')
  const written = pipeline(dump, child.stdin)
  written.catch(() => undefined)
  // The tool's own error explains more than that of the pipe which it has closed.
  await ended
  await written
}

const pathOf = ({ folder }: PostgresTools, name: string): string => (folder === null ? name : join(folder, name))

/** The address without the password, which every user of the machine could see among the arguments. */
function connectionArgs(address: string): string[] {
  const url = new URL(address)
  url.password = ''
  return [`--dbname=${url.href}`]
}

function connectionEnvironment({ environment }: PostgresTools, address: string): NodeJS.ProcessEnv {
  const { password } = new URL(address)
  return { ...environment, ...(password !== '' && { PGPASSWORD: decodeURIComponent(password) }) }
}

/** Rejects with what the tool has printed if it fails. */
async function waitForTool(child: ChildProcess, name: string): Promise<void> {
  const errors: string[] = []
  child.stderr?.on('data', (piece) => void errors.push(String(piece)))
  const code = await exitOf(child)
  if (code !== 0) throw new Error(`${name} failed: ${errors.join('').trim()}`)
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
