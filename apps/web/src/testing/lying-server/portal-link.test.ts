import { portalCreatorFlow } from '@sallyport/lying-server/portal-creator.flow'
import { origin } from '@sallyport/lying-server/server'
import { testFlow } from '@sallyport/lying-server/test-flow'
import { afterAll, beforeAll, vi } from 'vitest'
import { portalUrlOf } from '#/features/portals/pairing/portal-link.ts'

beforeAll(() => void vi.stubGlobal('location', { origin }))
afterAll(() => void vi.unstubAllGlobals())

testFlow(portalCreatorFlow({ linkTo: portalUrlOf }), 40)
