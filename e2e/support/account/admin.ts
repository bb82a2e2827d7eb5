import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inheritedEnvironment } from '../server/inherited-environment.ts'
import type { Environment, RunningServer } from '../server/server.ts'

const entry = fileURLToPath(new URL('../../../apps/server/src/admin.ts', import.meta.url))

interface AdminTarget extends Pick<RunningServer, 'url' | 'dataFolder'> {
  /** The settings of the server, if it has any that matter to the command. */
  readonly environment?: Environment
}

/** Runs the admin command next to a running server and resolves with its output. */
export async function runAdmin(
  { url, dataFolder, environment = {} }: AdminTarget,
  ...args: readonly string[]
): Promise<string> {
  const env = { ...inheritedEnvironment(), DATA_DIR: dataFolder, PUBLIC_URL: url, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...args], { env })
  return stdout
}

/** Creates a licence key with the admin command. */
export const createLicenceKey = async (server: RunningServer, ...options: readonly string[]): Promise<string> =>
  (await runAdmin(server, 'licence-key', ...options)).trim()

/** Creates an invitation with the admin command and resolves with its path. */
export async function createMagicLink(server: RunningServer, ...options: readonly string[]): Promise<string> {
  const output = await runAdmin(server, 'magic-link', ...options)
  const [, path] = /https?:\/\/[^/\s]+(\/invite\/\S+)/.exec(output) ?? []
  if (!path) throw new Error('The command printed no link')
  return path
}
