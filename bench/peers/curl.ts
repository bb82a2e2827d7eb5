import { spawn } from 'node:child_process'
import type { PlainFile } from '../browser/plain-upload.ts'

/** Runs curl, whose own CPU time is negligible; resolves to the seconds, and rejects on failure. */
export function curl(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn('curl', ['--silent', '--show-error', '--fail', '--output', '/dev/null', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve((performance.now() - startedAt) / 1000)
      else reject(new Error(`curl exited with ${code}`))
    })
  })
}

/** Uploads a whole file as one request; resolves to the seconds. */
export const uploadByCurl = (url: string, { path, headers }: PlainFile): Promise<number> =>
  curl([
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...['--request', 'POST', '--upload-file', path, `${url}/api/upload`],
  ])
