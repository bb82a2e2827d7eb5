import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../errors.ts'
import { PortalError } from './channel.ts'
import { portalErrorMessage } from './portal.ts'
import { portalStrings } from './strings.ts'

test('POR-07 each cause of a failed portal has its own message', () => {
  const unexpected = new TypeError('x is undefined')
  const rateLimited = new ApiError({ status: 429, code: 'RATE_LIMITED', serverMessage: 'Too many requests' })
  expect([
    portalErrorMessage(new PortalError('Data channel lost'), 'creator', true),
    portalErrorMessage(rateLimited, 'joiner', false),
    portalErrorMessage(new NetworkError(), 'creator', false),
    portalErrorMessage(new NetworkError(), 'joiner', false),
    portalErrorMessage(unexpected, 'creator', false),
    portalErrorMessage(unexpected, 'joiner', false),
    portalErrorMessage(unexpected, 'joiner', true),
    portalErrorMessage(new ApiError({ status: 502, code: null, serverMessage: '' }), 'creator', false),
  ]).toEqual([
    'Data channel lost',
    'Too many requests',
    'Failed to create wormhole',
    'Failed to join wormhole',
    'Room creation failed',
    'Room join failed',
    'Unknown error',
    'Room creation failed',
  ])
})

test('POR-07 the messages that the specification fixes are used verbatim', () => {
  const { cannotCreate, cannotReach, cannotEnter, cannotJoinByCode, cannotJoin, cannotReachAsVisitor } = portalStrings
  expect([cannotCreate, cannotReach, cannotEnter, cannotJoinByCode, cannotJoin, cannotReachAsVisitor]).toEqual([
    'Failed to create wormhole',
    'Failed to join wormhole',
    'Failed to join portal room',
    'Failed to join room from QR code',
    'Failed to join room',
    'Failed to join portal',
  ])
  const { unknown, noConnection, notReady, connectionTimeout, rejected, chunkNotSent } = portalStrings
  expect([unknown, noConnection, notReady, connectionTimeout, rejected, chunkNotSent]).toEqual([
    'Unknown error',
    'No active wormhole connection',
    'Connection not fully established. Please wait for both devices to confirm readiness.',
    'Connection timeout. Please try reconnecting both devices.',
    'File transfer rejected by peer',
    'Failed to send chunk after 3 attempts',
  ])
  const { roomCreationTimeout, roomJoinTimeout, roomCreationFailed, roomJoinFailed, socketFailed } = portalStrings
  expect([roomCreationTimeout, roomJoinTimeout, roomCreationFailed, roomJoinFailed, socketFailed]).toEqual([
    'Room creation timeout',
    'Room join timeout',
    'Room creation failed',
    'Room join failed',
    'WebSocket connection failed',
  ])
})
