import { portalPairFlow } from './portal-pair.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(portalPairFlow(), 60)
