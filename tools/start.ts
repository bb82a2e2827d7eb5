import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { buildPageOnce } from './build-page.ts'
import { startOverWithMemorySettings } from './memory-settings.ts'

startOverWithMemorySettings()
enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'))
process.chdir(root)
await buildPageOnce()
await import('../apps/server/src/main.ts')
