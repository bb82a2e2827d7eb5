// `npm test`: install, then everything that has to hold.
import { installOnce, runOnOwnNode, useGitHooks } from './bootstrap.mjs'

installOnce()
useGitHooks()
runOnOwnNode('tools/test.ts', process.argv.slice(2))
