import { queryOptions } from '@tanstack/react-query'
import { shareUnchanged } from '#/lib/realtime/list-changes.ts'
import type { UnlockedSession } from './room/current-session.ts'

export const messagesKey = (sessionId: string) => ['sessions', sessionId, 'messages'] as const
export const filesKey = (sessionId: string) => ['sessions', sessionId, 'files'] as const

export const filesQuery = (sessionId: string, { listFiles }: UnlockedSession) =>
  queryOptions({ queryKey: filesKey(sessionId), queryFn: listFiles, structuralSharing: shareUnchanged })
