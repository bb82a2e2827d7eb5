import { expect, test } from 'vitest'
import { securityHeaders } from './security-headers.ts'

test('HSTS is sent only over TLS and leaves subdomains alone', () => {
  expect(securityHeaders(true)).toMatchObject({ 'Strict-Transport-Security': 'max-age=31536000' })
  expect(securityHeaders(false)).not.toHaveProperty('Strict-Transport-Security')
})
