import { EventEmitter } from 'node:events'
import { portalLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createRelayEnd } from './relay-end.ts'

/** A device's socket that records whether it is read from; its device never ends the closing handshake. */
class DeviceSocket extends EventEmitter {
  readonly OPEN = WebSocket.OPEN
  readyState: number = WebSocket.OPEN
  isPaused = false
  pause() {
    this.isPaused = true
  }
  resume() {
    this.isPaused = false
  }
  close() {
    this.readyState = WebSocket.CLOSING
  }
}

test('a device over its quota is read from until it has closed, whatever is acknowledged meanwhile', async () => {
  const device = new DeviceSocket()
  const end = createRelayEnd({
    socket: device as unknown as WebSocket,
    send: () => undefined,
    pace: () => 0,
    node: 'one',
    sendToPeer: async () => undefined,
    relayFrame: async () => false,
  })
  end.handle(Buffer.concat([Buffer.from([0]), Buffer.from('another')]))
  expect(device.isPaused).toBe(false)

  device.emit('message', Buffer.alloc(2 * portalLimits.relay.maxInFlightBytes), true)
  expect(device.isPaused).toBe(true)
  await expect.poll(() => device.readyState).toBe(WebSocket.CLOSING)
  expect(device.isPaused).toBe(false)
  end.handle(Buffer.from([3, 0, 0, 0, 1]))

  expect(device.isPaused).toBe(false)
})
