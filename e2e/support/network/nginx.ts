import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../tools/free-port.ts'

export const isNginxInstalled = spawnSync('nginx', ['-v']).status === 0
export const nginxMissingMessage = 'nginx is not installed here: apt-get install nginx-light'

const samplePath = new URL('../../../deploy/nginx.conf', import.meta.url)

/** A typical site: default timeouts and a body limit slightly above the plaintext size of a chunk. */
export const typicalSite = ({ buffersRequests }: { readonly buffersRequests: boolean }) => `
  client_max_body_size ${32 * 1024 * 1024 + 1024};
  location / {
    proxy_pass $TARGET;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    proxy_request_buffering ${buffersRequests ? 'on' : 'off'};
  }`

/** The server block of deploy/nginx.conf without its name, its certificate and its logs. */
export function sampleSite(): string {
  const text = readFileSync(samplePath, 'utf8')
  const [, site = ''] = /^server \{\n([\s\S]*?)\n\}/m.exec(text) ?? []
  return site
    .replace(/^ *(listen|http2|server_name|ssl_\w+|access_log|error_log) .*\n/gm, '')
    .replace('http://sallyport', '$TARGET')
}

const maxAttempts = 3

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

/** Runs nginx in front of a server, whose address replaces `$TARGET` in the site. */
export async function startNginx(targetUrl: string, site: string): Promise<Nginx> {
  // nginx cannot choose a free port itself, and another process may take the one that was found.
  for (let tries = 1; ; tries += 1) {
    try {
      return await startAtPort(await freePort(), targetUrl, site)
    } catch (error) {
      if (tries === maxAttempts) throw error
    }
  }
}

async function startAtPort(port: number, targetUrl: string, site: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-nginx-'))
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')};
events {}
http {
  access_log off;
  ${tempPaths.join('\n  ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  server {
    listen 127.0.0.1:${port};
    ${site.replaceAll('$TARGET', targetUrl)}
  }
}
`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await acceptsConnections(port)); tries += 1) {
    if (tries > 1200 || child.exitCode !== null) {
      throw new Error(`nginx did not start: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
    }
    await pause(25)
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
