import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const nginxIsHere = spawnSync('nginx', ['-v']).status === 0
export const nginxMissing = 'nginx is not installed here: apt-get install nginx-light'

const sample = new URL('../../deploy/nginx.conf', import.meta.url)

/** A site as most people write one: the usual timeouts, and a body a little longer than a chunk's plain bytes. */
export const usualSite = ({ buffersRequests }: { readonly buffersRequests: boolean }) => `
  client_max_body_size ${32 * 1024 * 1024 + 1024};
  location / {
    proxy_pass $TARGET;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    proxy_request_buffering ${buffersRequests ? 'on' : 'off'};
  }`

/** What stands in the site that we hand out, but for its name and its certificate. */
export function sampleSite(): string {
  const text = readFileSync(sample, 'utf8')
  const [, site = ''] = /^server \{\n([\s\S]*?)\n\}/m.exec(text) ?? []
  return site.replace(/^ *(listen|http2|server_name|ssl_\w+) .*\n/gm, '').replace('http://127.0.0.1:8080', '$TARGET')
}

const mostTries = 3

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

/** Runs nginx in front of a server; `$TARGET` in the site stands for that. */
export async function startNginx(targetUrl: string, site: string): Promise<Nginx> {
  // It cannot be told to find a port itself, and others may be faster at the one that was found for it.
  for (let tries = 1; ; tries += 1) {
    try {
      return await startAtPort(await freePort(), targetUrl, site)
    } catch (error) {
      if (tries === mostTries) throw error
    }
  }
}

async function startAtPort(port: number, targetUrl: string, site: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-nginx-'))
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
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
  ${places.join('\n  ')}
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
  for (let tries = 0; !(await answers(port)); tries += 1) {
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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(port, '127.0.0.1')
    line.once('connect', () => resolve(true)).once('error', () => resolve(false))
    line.once('connect', () => line.destroy())
  })
}
