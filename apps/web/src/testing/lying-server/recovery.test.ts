import { testFlow } from '@sallyport/client/testing/lying-server/test-flow'
import { recoveryFlow } from './recovery.flow.ts'

testFlow(recoveryFlow(), 80)
