import { testFlow } from '@sallyport/lying-server/test-flow'
import { chatFlow } from './chat.flow.ts'

testFlow(chatFlow(), 60)
