import type { ListedFile } from '@sallyport/contract/files'
import type { LiveEvent } from '@sallyport/contract/live'
import type { MessageSync } from '#/components/messages/message-sync.ts'
import { changeFile, filesQuery, refreshFiles } from '#/features/files/files.queries.ts'
import { subscriptionKey, userInfoQuery } from '#/lib/api/account.queries.ts'
import { adminStatusQuery } from '#/lib/api/admin-status.ts'
import { dashboardQuery, membershipQuery } from '#/lib/api/membership.ts'
import { checkListed } from '#/lib/check-listed.ts'
import { applyChanges, type ListChange } from '#/lib/realtime/list-changes.ts'
import { batchUpdates } from '#/lib/realtime/update-batches.ts'
import type { Services } from '../services.ts'
import { throttle } from './throttle.ts'

interface LiveUpdateDeps extends Pick<Services, 'api' | 'queries' | 'accounts'> {
  readonly chat: { readonly sync: MessageSync }
}

interface LiveUpdates {
  /** Applies a live event of the server to the query cache. */
  readonly apply: (event: LiveEvent) => void
  /** Whether the live channel has announced a file that the list does not contain yet. */
  readonly isAnnounced: (fileId: string) => boolean
  /** Applies nothing more. */
  readonly stop: () => void
}

const userInfoIntervalMs = 2000

export function createLiveUpdates({ api, queries, accounts, chat }: LiveUpdateDeps): LiveUpdates {
  const { queryKey } = filesQuery(api.call)
  const refreshUserInfo = throttle(
    () => void queries.invalidateQueries({ queryKey: userInfoQuery(api.call).queryKey }),
    userInfoIntervalMs,
  )

  function refreshLicence(): void {
    refreshUserInfo()
    void queries.invalidateQueries({ queryKey: subscriptionKey })
  }

  const adminStatus = { queryKey: adminStatusQuery(api.call).queryKey }

  const membership = { queryKey: membershipQuery(api.call).queryKey }

  const dashboard = { queryKey: dashboardQuery(api.call).queryKey }

  function refreshOrganization(): void {
    void queries.invalidateQueries(membership)
    void queries.invalidateQueries(dashboard)
    void queries.invalidateQueries({ queryKey: subscriptionKey })
  }

  const announcedIds = new Set<string>()

  const fileList = batchUpdates<ListChange<ListedFile>>((changes) => {
    announcedIds.clear()
    queries.setQueryData(queryKey, (listed) => listed && applyChanges(listed, changes))
    if (queries.isFetching({ queryKey }) > 0) void refetchFiles({ api, queries })
    else refreshUserInfo()
  })

  return {
    isAnnounced: (fileId) => announcedIds.has(fileId),
    apply(event) {
      switch (event.type) {
        case 'ready':
          // Events before the connection was established were missed.
          fileList.flush()
          void refetchFiles({ api, queries })
          void chat.sync.refresh()
          refreshLicence()
          // Not the one that the page has just asked for.
          void queries.refetchQueries({ ...adminStatus, stale: true })
          void queries.refetchQueries({ ...membership, stale: true })
          void queries.refetchQueries({ ...dashboard, type: 'active', stale: true })
          break
        case 'alive':
          break
        case 'file.inserted':
          checkListed([event.file])
          announcedIds.add(event.file.id)
          fileList.add({ type: 'inserted', item: event.file })
          break
        case 'file.deleted':
          fileList.add({ type: 'deleted', id: event.id })
          break
        case 'file.changed':
          fileList.add({ type: 'changed', id: event.id, update: (file) => changeFile(file, event) })
          break
        case 'message.inserted':
          chat.sync.onInserted(event.id, event.createdAt)
          break
        case 'message.deleted':
          chat.sync.onDeleted(event.id)
          break
        case 'licence.changed':
          refreshLicence()
          refreshOrganization()
          break
        case 'admin.changed':
          void queries.invalidateQueries(adminStatus)
          break
        case 'organization.changed':
          refreshOrganization()
          break
        case 'account.revoked':
          void accounts.authController.expire()
          break
      }
    },
    stop() {
      fileList.stop()
      refreshUserInfo.stop()
    },
  }
}

/** Cancels fetches in flight, whose response may be older than the event and would undo it, and refetches. */
async function refetchFiles({ api, queries }: Pick<LiveUpdateDeps, 'api' | 'queries'>): Promise<void> {
  await queries.cancelQueries({ queryKey: filesQuery(api.call).queryKey })
  await refreshFiles(queries, api.call)
}
