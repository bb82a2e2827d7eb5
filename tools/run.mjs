// `node tools/run.mjs <script> …`: installs the packages, then runs a script of the project on its own Node. With
// `--installed` before the script it installs nothing, because a server may be running on these packages.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installOnce, ownNode, requireInstalled, root, runsOnOwnNode } from './bootstrap.mjs'

const isInstalled = process.argv[2] === '--installed'
const [name = '', ...args] = process.argv.slice(isInstalled ? 3 : 2)
const script = join(root, name)

if (isInstalled) requireInstalled()
else installOnce()
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
