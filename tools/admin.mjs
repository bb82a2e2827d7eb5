// `npm run admin -- <command>`: what an operator can do from a terminal.
import { installOnce, runOnOwnNode } from './bootstrap.mjs'

installOnce()
runOnOwnNode('apps/server/src/admin/main.ts', process.argv.slice(2))
