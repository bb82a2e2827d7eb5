import { filesFlow } from './files.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(filesFlow(), 100)
