import { queryOptions } from '@tanstack/react-query'
import type { OpenRoom } from './room.ts'

export const messagesKey = (sessionId: string) => ['sessions', sessionId, 'messages'] as const
export const filesKey = (sessionId: string) => ['sessions', sessionId, 'files'] as const

export const filesQuery = (sessionId: string, { listFiles }: OpenRoom) =>
  queryOptions({ queryKey: filesKey(sessionId), queryFn: listFiles })
