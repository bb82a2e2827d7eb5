import { portalCreatorFlow } from '@sallyport/client/testing/lying-server/portal-creator.flow'
import { origin } from '@sallyport/client/testing/lying-server/server'
import { testFlow } from '@sallyport/client/testing/lying-server/test-flow'
import { afterAll, beforeAll, vi } from 'vitest'
import { portalUrlOf } from '#/features/portals/pairing/portal-link.ts'

beforeAll(() => void vi.stubGlobal('location', { origin }))
afterAll(() => void vi.unstubAllGlobals())

testFlow(portalCreatorFlow({ linkTo: portalUrlOf }), 40)
