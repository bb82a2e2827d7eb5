import type { ActivityEntry } from '@sallyport/contract/activity'
import { ActivityList } from '#/components/activity/activity-list.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { activityStrings } from '#/strings/lists/activity.ts'

interface ActivityCardProps {
  readonly activity: readonly ActivityEntry[]
}

/** What happened in the account, latest first. */
export function ActivityCard({ activity }: ActivityCardProps) {
  return (
    <Card aria-labelledby="activity-heading">
      <CardHeading id="activity-heading" title={activityStrings.label} />
      <div className="mt-2">
        {activity.length === 0 ? (
          <p className="text-sm text-ink-2">{activityStrings.empty}</p>
        ) : (
          <ActivityList entries={activity} />
        )}
      </div>
    </Card>
  )
}
