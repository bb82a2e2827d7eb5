import { archiveFlow } from './archive.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(archiveFlow(), 60)
