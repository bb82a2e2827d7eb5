import { endpoint, nothing } from './endpoint.ts'

/** By itself, because every page loads it before its first screen. */
export const checkConnection = endpoint({
  method: 'HEAD',
  path: '/api/status',
  summary: 'Check the connection',
  access: 'anyone',
  reply: nothing,
})
