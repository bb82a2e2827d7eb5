import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'
import { type PeerServer, superviseChild } from '../lib/child-process.ts'

/** Returns the path of nginx, or null if it is not installed. */
export const findNginx = (): string | null =>
  ['/usr/sbin/nginx', 'nginx'].find((path) => spawnSync(path, ['-v']).status === 0) ?? null

/** Serves a folder without `sendfile`, as a server with TLS does. */
export async function startNginx(nginx: string, folder: string): Promise<PeerServer> {
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
  const child = superviseChild(
    spawn(nginx, ['-c', configPath, '-p', folder, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  )
  const url = `http://127.0.0.1:${port}`
  await child.untilServing(`${url}/nginx.conf`)
  return { url, ...child }
}
