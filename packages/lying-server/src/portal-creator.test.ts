import { portalCreatorFlow } from './portal-creator.flow.ts'
import { testFlow } from './test-flow.ts'

testFlow(portalCreatorFlow(), 120)
