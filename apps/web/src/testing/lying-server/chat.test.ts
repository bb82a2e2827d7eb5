import { testFlow } from '@sallyport/client/testing/lying-server/test-flow'
import { chatFlow } from './chat.flow.ts'

testFlow(chatFlow(), 60)
