// `npm test`: install, then everything that has to hold.
import { installOnce, runOnOwnNode } from './bootstrap.mjs'

installOnce()
runOnOwnNode('tools/test.ts', process.argv.slice(2))
