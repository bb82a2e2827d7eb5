import { admissionFlow } from './admission.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(admissionFlow(), 20)
