import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../errors.ts'
import { PortalError } from './errors.ts'
import { toPortalError } from './portal.ts'

test('POR-07 each cause of a failed portal has its own error', () => {
  const unexpected = new TypeError('x is undefined')
  const lost = new PortalError('CHANNEL_LOST')
  const rateLimited = new ApiError({ status: 429, code: 'RATE_LIMITED', serverMessage: 'Too many requests' })

  expect([toPortalError(lost, 'creator', true), toPortalError(rateLimited, 'joiner', false)]).toEqual([
    lost,
    rateLimited,
  ])
  expect(
    [
      toPortalError(new NetworkError(), 'creator', false),
      toPortalError(new NetworkError(), 'joiner', false),
      toPortalError(unexpected, 'creator', false),
      toPortalError(unexpected, 'joiner', false),
      toPortalError(unexpected, 'joiner', true),
      toPortalError(new ApiError({ status: 502, code: null, serverMessage: '' }), 'creator', false),
    ].map(({ code }) => code),
  ).toEqual([
    'CANNOT_CREATE',
    'CANNOT_REACH',
    'ROOM_CREATION_FAILED',
    'ROOM_JOIN_FAILED',
    'UNKNOWN',
    'ROOM_CREATION_FAILED',
  ])
})
