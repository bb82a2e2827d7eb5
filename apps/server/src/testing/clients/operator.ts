import { expect } from 'vitest'
import { WebSocket } from 'ws'

interface ApiResponse {
  readonly code?: string
  readonly ticket?: string
  readonly session: { readonly access_token: string }
  readonly user: unknown
}

/** Calls the API; with a body as POST. */
export async function call(url: string, body?: object, accessToken = '') {
  const answer = await fetch(url, {
    headers: { 'content-type': 'application/json', ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...((await answer.json()) as ApiResponse) }
}

/** Opens a live socket of this account and records its message types and close codes. */
export async function openLiveSocket(url: string, accessToken: string) {
  const { ticket } = await call(`${url}/api/live/tickets`, { purpose: 'live' }, accessToken)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live?ticket=${ticket}`, { origin: url })
  const messageTypes: string[] = []
  const closeCodes: number[] = []
  socket.on('message', (data) => messageTypes.push(JSON.parse(String(data)).type))
  socket.on('close', (code) => closeCodes.push(code))
  await expect.poll(() => messageTypes).toEqual(['ready'])
  return { messageTypes, closeCodes }
}
