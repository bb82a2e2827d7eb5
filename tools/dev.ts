import './require-own-node.ts'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './bootstrap.mjs'

// The page is rebuilt as you type and served by the server itself, so that its content policy holds while working, too.
await build({ root: join(root, 'apps', 'web'), logLevel: 'info', build: { watch: {} }, mode: 'production' })
const server = spawn(process.execPath, ['--watch', join(root, 'apps', 'server', 'src', 'main.ts')], {
  cwd: root,
  stdio: 'inherit',
})
process.on('SIGINT', () => server.kill('SIGTERM'))
server.on('exit', (code) => process.exit(code ?? 0))
