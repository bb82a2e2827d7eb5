import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../../../../tools/free-port.ts'
import { waitUntil } from '../../../../../tools/wait-until.ts'

const parent = '/usr/lib/postgresql'

/**
 * The folder of a PostgreSQL with `pg_dump`, as Debian's packages install it; null if this machine has none. The
 * embedded PostgreSQL of the other tests comes without it.
 */
export function findSystemPostgres(): string | null {
  if (!existsSync(parent)) return null
  const folders = readdirSync(parent).map((version) => join(parent, version, 'bin'))
  const complete = folders.filter((folder) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  )
  return complete.sort().at(-1) ?? null
}

/** Starts that PostgreSQL on a free port. Its data is deleted when it stops. */
export async function startSystemPostgres(folder: string) {
  const data = mkdtempSync(join(tmpdir(), 'sallyport-postgres-'))
  const user = unprivilegedUser()
  if (user) chownSync(data, user.uid, user.gid)
  const initialization = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C']
  execFileSync(join(folder, 'initdb'), [...initialization, '--no-sync'], { ...user, cwd: data, stdio: 'ignore' })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200']
  const server = spawn(
    join(folder, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: data, stdio: 'ignore' },
  )
  const urlOf = (name: string): string => `postgres://postgres:secret@127.0.0.1:${port}/${name}`
  let count = 0
  await waitUntil(
    async () => (await runStatement(urlOf('postgres'), 'select 1').catch(() => null)) !== null,
    'PostgreSQL',
  )
  return {
    /** Creates an empty database and returns its address. */
    async createDatabase(): Promise<string> {
      count += 1
      await runStatement(urlOf('postgres'), `create database test_${count}`)
      return urlOf(`test_${count}`)
    },
    async stop(): Promise<void> {
      await end(server)
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function runStatement(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client.query(statement).finally(() => client.end())
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}

async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('close', resolve))
  server.kill('SIGINT')
  await ended
}
