import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { RunningServer } from './server.ts'

const entry = fileURLToPath(new URL('../../apps/server/src/admin/main.ts', import.meta.url))

/** What the operator's command prints, run beside a server that goes on serving. */
export async function runAdmin(
  server: Pick<RunningServer, 'url' | 'dataFolder'>,
  ...words: readonly string[]
): Promise<string> {
  const env = { ...process.env, DATA_DIR: server.dataFolder, PUBLIC_URL: server.url }
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...words], { env })
  return stdout
}

/** Makes an invitation as the operator does, and answers its path. */
export async function makeMagicLink(server: RunningServer, ...wishes: readonly string[]): Promise<string> {
  const printed = await runAdmin(server, 'magic-link', ...wishes)
  const [, path] = /https?:\/\/[^/\s]+(\/invite\/\S+)/.exec(printed) ?? []
  if (!path) throw new Error('The command printed no link')
  return path
}
