import { testFlow } from './test-flow.ts'
import { uploadSocketFlow } from './upload-socket.flow.ts'

testFlow(uploadSocketFlow(), 60)
