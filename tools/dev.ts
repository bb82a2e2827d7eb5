// `npm run dev`: the page with hot reload in front of the API server, which restarts on changes. `-- --inspect` or
// `-- --inspect=PORT` lets a debugger attach to the API server.
import './require-own-node.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type Plugin } from 'vite'
import { pagePolicy, securityHeaders, workerPolicy } from '../apps/server/src/platform/http/security-headers.ts'
import { root } from './bootstrap.mjs'
import { freePort } from './free-port.ts'

const web = join(root, 'apps', 'web')
// Only this machine: proxied requests reach the API server from a loopback address, which it trusts.
const host = 'localhost'
const port = Number(process.env['PORT'] ?? 8080)
const address = `http://${host}:${port}`
const restartMs = 10_000
const apiPath = /^\/(api|auth\/v1|dev\/outbox|healthz|readyz|metrics|robots\.txt|\.well-known)([/?]|$)/
const inspectOption = process.argv.find((option) => /^--inspect(=\d+)?$/.test(option))
const apiPort = await freePort()
process.env['NODE_ENV'] = 'development'

const api = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    ...(inspectOption ? [`--inspect=127.0.0.1:${inspectOption.split('=')[1] ?? 9229}`] : []),
    join(root, 'apps', 'server', 'src', 'main.ts'),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // Ctrl-C signals a whole process group; the API server must get one signal only, because a second one aborts it.
    detached: true,
    env: {
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      PUBLIC_URL: address,
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(apiPort),
    },
  },
)
const apiExited = once(api, 'exit')
process.once('exit', () => api.kill())

const vite = await createServer({
  root: web,
  clearScreen: false,
  plugins: [reportOnlyPolicy('dev')],
  html: { cspNonce: 'dev' },
  // Found at startup, because a dependency found later reloads the page.
  optimizeDeps: {
    entries: ['*.html', 'src/lib/**/*.worker.ts', '../../packages/transfers/src/browser/**/*.worker.ts'],
  },
  server: {
    host,
    port,
    strictPort: true,
    cors: false,
    // Not the data folder, which holds the keys of the server.
    fs: { allow: [web, join(root, 'packages'), join(root, 'node_modules')] },
    proxy: {
      [apiPath.source]: { target: `http://127.0.0.1:${apiPort}`, ws: true, bypass: waitForApi },
    },
  },
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    api.kill('SIGTERM')
    void Promise.all([vite.close(), apiExited]).then(() => process.exit(0))
  })
}
await vite.listen()
await waitForApi()
console.log(`\n  Sallyport for development: ${address}\n  Sent emails:               ${address}/dev/outbox\n`)

/**
 * Sends the security headers of the server. The content security policy only reports, and admits the scripts and styles
 * that Vite injects by their nonce.
 */
function reportOnlyPolicy(nonce: string): Plugin {
  const policy = pagePolicy(null).replaceAll(/(script|style)-src 'self'/g, `$& 'nonce-${nonce}'`)
  return {
    name: 'report-only-policy',
    configureServer({ middlewares }) {
      middlewares.use(({ url = '' }, response, next) => {
        if (!apiPath.test(url)) {
          const isWorker = /[?&]worker_file\b|^\/decrypt-worker\.js/.test(url)
          const headers = {
            ...securityHeaders(false),
            'Content-Security-Policy-Report-Only': isWorker ? workerPolicy : policy,
          }
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        }
        next()
      })
    },
  }
}

/** Resolves when the API server accepts connections, so that requests wait while it restarts; at most 10 s. */
async function waitForApi(): Promise<undefined> {
  const deadline = Date.now() + restartMs
  while (!(await acceptsConnections()) && Date.now() < deadline) await wait(50)
}

function acceptsConnections(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(apiPort, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
