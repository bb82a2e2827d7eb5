// `npm start`: builds and serves. Later starts take about a second.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { buildPageOnce } from './build-page.ts'
import { reexecWithMemorySettings } from './memory-settings.ts'

reexecWithMemorySettings()
enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'))
process.chdir(root)
await buildPageOnce()
await import('../apps/server/src/main.ts')
