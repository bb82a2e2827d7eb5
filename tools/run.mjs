// `node tools/run.mjs <script> …`: installs the packages, then runs a script of the project on its own Node.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installOnce, ownNode, root, runsOnOwnNode } from './bootstrap.mjs'

const [name = '', ...args] = process.argv.slice(2)
const script = join(root, name)

installOnce()
if (runsOnOwnNode()) {
  // In this process, because another one would delay every start.
  process.argv = [process.execPath, script, ...args]
  await import(pathToFileURL(script).href)
} else {
  const child = spawn(ownNode, [script, ...args], { cwd: root, stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
