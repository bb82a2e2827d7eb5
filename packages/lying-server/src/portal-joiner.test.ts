import { portalJoinerFlow } from './portal-joiner.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(portalJoinerFlow(), 60)
