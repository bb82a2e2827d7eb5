import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#/components/parts/loaded.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import { volumesQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { VolumeCard } from './volume-card.tsx'

/** The volumes with their space and what they hold. */
export function VolumesTab() {
  const query = useQuery(volumesQuery(useAdminCall()))
  return (
    <Loaded query={query} failed={strings.volumesFailed} skeletonClassName="h-72">
      {(volumes) =>
        volumes.length === 0 ? (
          <EmptyState title={strings.noVolumes} />
        ) : (
          <ul className="grid gap-4 md:grid-cols-2">
            {volumes.map((volume) => (
              <li key={volume.id} className="grid">
                <VolumeCard volume={volume} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
