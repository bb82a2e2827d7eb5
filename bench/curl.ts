import { spawn } from 'node:child_process'
import type { PlainFile } from './plain.ts'

/** Runs curl, which costs next to nothing beside a browser; gives seconds, and rejects when it fails. */
export function curl(words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn('curl', ['--silent', '--show-error', '--fail', '--output', '/dev/null', ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve((performance.now() - startedAt) / 1000)
      else reject(new Error(`curl ended with ${code}`))
    })
  })
}

/** Uploads a whole file as one request; gives seconds. */
export const uploadByCurl = (url: string, { path, headers }: PlainFile): Promise<number> =>
  curl([
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...['--request', 'POST', '--upload-file', path, `${url}/api/upload`],
  ])
