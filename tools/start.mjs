// `npm start`: install, build, serve. Everything after the first time is a matter of a second.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installOnce, ownNode, root, runsOnOwnNode } from './bootstrap.mjs'

installOnce()
if (runsOnOwnNode()) {
  await import('./start.ts')
} else {
  const child = spawn(ownNode, [join(root, 'tools', 'start.ts')], { cwd: root, stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
