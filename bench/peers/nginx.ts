import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.ts'

export interface Nginx {
  readonly url: string
  readonly processId: number
  stop(): Promise<void>
}

/** Returns the path of nginx, or null if it is not installed. */
export const findNginx = (): string | null =>
  ['/usr/sbin/nginx', 'nginx'].find((path) => spawnSync(path, ['-v']).status === 0) ?? null

/** Serves a folder without `sendfile`, as a server with TLS does. */
export async function startNginx(nginx: string, folder: string): Promise<Nginx> {
  const port = await freePort()
  const configPath = join(folder, 'nginx.conf')
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  writeFileSync(
    configPath,
    `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log /dev/null; user ${userInfo().username};
     events { worker_connections 64; }
     http { ${tempPaths.join(' ')} access_log off; sendfile off;
       server { listen 127.0.0.1:${port}; root ${folder}; } }\n`,
  )
  const child = spawn(nginx, ['-c', configPath, '-p', folder, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killChild = () => child.kill()
  process.once('exit', killChild)
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`nginx exited with ${child.exitCode}`)
    await pause(20)
  }
  return {
    url,
    processId: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await exited
      process.off('exit', killChild)
    },
  }
}
