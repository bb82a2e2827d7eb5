import { useQuery } from '@tanstack/react-query'
import { ActivityList } from '#/components/activity/activity-list.tsx'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { activityStrings } from '#/strings/lists/activity.ts'
import { activityQuery } from './security.queries.ts'

/** What happened in the account in the last 90 days. */
export function ActivityPane() {
  const query = useQuery(activityQuery(useCall()))
  return (
    <Card aria-labelledby="activity-heading">
      <CardHeading id="activity-heading" title={activityStrings.heading} />
      <p className="mt-1 mb-3 text-sm text-ink-2">{activityStrings.intro}</p>
      <Loaded query={query} failed={activityStrings.failed} skeletonClassName="h-14">
        {(entries) =>
          entries.length === 0 ? (
            <p className="text-sm text-ink-3">{activityStrings.empty}</p>
          ) : (
            <ActivityList entries={entries} />
          )
        }
      </Loaded>
    </Card>
  )
}
