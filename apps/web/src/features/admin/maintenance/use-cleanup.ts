import { adminMaintenance, type CleanupType } from '@sallyport/contract/admin-maintenance'
import type { Reply } from '@sallyport/contract/endpoint'
import { formatBytes } from '@sallyport/contract/formats'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { adminMaintenanceStrings as strings } from '#/strings/admin/maintenance.ts'
import { adminKey } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { changeErrorMessage, type ReauthGuard } from '../user/use-change.ts'

type Removed = Reply<typeof adminMaintenance.cleanUp>['removed']

/** The cleanup that runs or has run last: what it has removed, and its outcome once it has ended. */
export interface CleanupState {
  readonly type: CleanupType
  readonly removed: Removed
  readonly outcome: null | { readonly text: string; readonly isError: boolean }
}

const nothing: Removed = { files: 0, bytes: 0, entries: 0 }

/** Runs cleanups. A call removes for some seconds, so it is repeated until nothing is left. */
export function useCleanup({ guard }: Pick<ReauthGuard, 'guard'>) {
  const call = useAdminCall()
  const queries = useQueryClient()
  const [state, setState] = useState<CleanupState | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function removeAll(type: CleanupType, signal: AbortSignal): Promise<void> {
    let removed = nothing
    const end = (text: string, isError = false) => setState({ type, removed, outcome: { text, isError } })
    setState({ type, removed, outcome: null })
    try {
      for (let round = 1; ; round += 1) {
        const body = { cleanup_type: type }
        const answer = await guard(() => call(adminMaintenance.cleanUp, { body }, { signal }))
        removed = add(removed, answer.removed)
        setState({ type, removed, outcome: null })
        if (answer.complete) return end(round === 1 ? answer.message : totalOf(removed))
      }
    } catch (error) {
      if (signal.aborted) end(strings.stopped(filesOf(removed)))
      else end(changeErrorMessage(error, strings.failed), true)
    }
  }

  return {
    state,
    async start(type: CleanupType): Promise<void> {
      if (running.current) return
      running.current = new AbortController()
      await removeAll(type, running.current.signal)
      running.current = null
      await queries.invalidateQueries({ queryKey: adminKey })
    },
    stop: () => running.current?.abort(),
  }
}

const add = (one: Removed, other: Removed): Removed => ({
  files: one.files + other.files,
  bytes: one.bytes + other.bytes,
  entries: one.entries + other.entries,
})

const totalOf = (removed: Removed): string => strings.total(filesOf(removed), strings.entries(removed.entries))

export const filesOf = ({ files, bytes }: Removed): string => strings.files(files, formatBytes(bytes))
