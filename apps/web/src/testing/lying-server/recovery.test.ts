import { testFlow } from '@sallyport/lying-server/test-flow'
import { recoveryFlow } from './recovery.flow.ts'

testFlow(recoveryFlow(), 80)
