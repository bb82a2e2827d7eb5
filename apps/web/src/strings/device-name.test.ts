import { expect, test } from 'vitest'
import { deviceName, isHandheld } from './device-name.ts'

const userAgents = {
  chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
}

test('deviceName: returns the browser and the system', () => {
  expect(Object.values(userAgents).map(deviceName)).toEqual([
    'Chrome on Linux',
    'Edge on Windows',
    'Firefox on Windows',
    'Safari on macOS',
    'Safari on iPhone',
    'Chrome on Android',
  ])
})

test('deviceName: returns null for an unknown user agent', () => {
  expect([deviceName(''), deviceName('curl/8.0')]).toEqual([null, null])
  expect(deviceName('Mozilla/5.0 (Windows NT 10.0)')).toBe('Windows')
})

test('isHandheld: is true for phones only', () => {
  expect(Object.values(userAgents).map(isHandheld)).toEqual([false, false, false, false, true, true])
})
