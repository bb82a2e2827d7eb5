import { resumedUploadFlow } from './resumed-upload.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(resumedUploadFlow(), 60)
