import { sessionFilesFlow } from './session-files.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(sessionFilesFlow(), 50)
