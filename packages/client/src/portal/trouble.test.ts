import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../errors.ts'
import { PortalError } from './channel.ts'
import { portalTexts } from './texts.ts'
import { troubleOf } from './trouble.ts'

test('POR-07 each thing that can keep a portal from standing has its own words', () => {
  const odd = new TypeError('x is undefined')
  const refused = new ApiError({ status: 429, code: 'RATE_LIMITED', message: 'Too many requests' })
  expect([
    troubleOf(new PortalError('Data channel lost'), 'creator', true),
    troubleOf(refused, 'joiner', false),
    troubleOf(new NetworkError(), 'creator', false),
    troubleOf(new NetworkError(), 'joiner', false),
    troubleOf(odd, 'creator', false),
    troubleOf(odd, 'joiner', false),
    troubleOf(odd, 'joiner', true),
  ]).toEqual([
    'Data channel lost',
    'Too many requests',
    'Failed to create wormhole',
    'Failed to join wormhole',
    'Room creation failed',
    'Room join failed',
    'Unknown error',
  ])
})

test('POR-07 what the specification fixes word for word for portals stands so', () => {
  const { cannotCreate, cannotReach, cannotEnter, cannotJoinByCode, cannotJoin, cannotReachAsVisitor } = portalTexts
  expect([cannotCreate, cannotReach, cannotEnter, cannotJoinByCode, cannotJoin, cannotReachAsVisitor]).toEqual([
    'Failed to create wormhole',
    'Failed to join wormhole',
    'Failed to join portal room',
    'Failed to join room from QR code',
    'Failed to join room',
    'Failed to join portal',
  ])
  const { unknown, noConnection, notReady, connectionTimeout, rejected, chunkNotSent } = portalTexts
  expect([unknown, noConnection, notReady, connectionTimeout, rejected, chunkNotSent]).toEqual([
    'Unknown error',
    'No active wormhole connection',
    'Connection not fully established. Please wait for both devices to confirm readiness.',
    'Connection timeout. Please try reconnecting both devices.',
    'File transfer rejected by peer',
    'Failed to send chunk after 3 attempts',
  ])
  const { roomCreationTimeout, roomJoinTimeout, roomCreationFailed, roomJoinFailed, socketFailed } = portalTexts
  expect([roomCreationTimeout, roomJoinTimeout, roomCreationFailed, roomJoinFailed, socketFailed]).toEqual([
    'Room creation timeout',
    'Room join timeout',
    'Room creation failed',
    'Room join failed',
    'WebSocket connection failed',
  ])
})
