import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useCall } from '#/api/api-context.ts'
import { configQuery } from '#/api/config.query.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useToast } from '#/ui/toast.tsx'
import { secondFactorWords } from '#/words/second-factor.ts'
import { BackupCodesSection } from './backup-codes-section.tsx'
import { FactorRow } from './factor-row.tsx'
import type { LoadProvider, StandingFactor } from './factors.ts'
import { factorsQuery, useFactorsChanged } from './second-factor.queries.ts'

const EnrolDialog = lazy(async () => ({ default: (await import('./enrol-dialog.tsx')).EnrolDialog }))

interface SecondFactorPaneProps {
  readonly provider: LoadProvider
}

/** The second steps of the account: what there are, and adding and removing them. */
export function SecondFactorPane({ provider }: SecondFactorPaneProps) {
  const { data: factors, error, refetch } = useQuery(factorsQuery(provider))
  return (
    <Card aria-labelledby="second-factor-heading">
      <CardHeading id="second-factor-heading" title={secondFactorWords.heading} />
      <p className="mt-1 mb-4 text-sm text-ink-2">{secondFactorWords.intro}</p>
      {factors ? (
        <Standing factors={factors} provider={provider} />
      ) : error ? (
        <RetryBanner label={secondFactorWords.retry} onRetry={() => void refetch()}>
          {speak(error, secondFactorWords.listFailed)}
        </RetryBanner>
      ) : (
        <Skeleton className="h-10" />
      )}
    </Card>
  )
}

interface StandingProps extends SecondFactorPaneProps {
  readonly factors: readonly StandingFactor[]
}

function Standing({ factors, provider }: StandingProps) {
  const { data: config } = useQuery(configQuery(useCall()))
  const [adding, setAdding] = useState<StandingFactor['kind'] | null>(null)
  const changed = useFactorsChanged()
  const toast = useToast()

  async function finish() {
    setAdding(null)
    toast({ text: secondFactorWords.added, tone: 'seal' })
    await changed()
  }

  return (
    <>
      {factors.length === 0 ? (
        <p className="text-sm font-medium">{secondFactorWords.none}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} provider={provider} isLast={factors.length === 1} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button onClick={() => setAdding('totp')}>{secondFactorWords.addApp}</Button>
        {config?.features.sms ? <Button onClick={() => setAdding('phone')}>{secondFactorWords.addPhone}</Button> : null}
      </div>
      {factors.length > 0 ? <BackupCodesSection /> : null}
      {adding ? (
        <Suspense>
          <EnrolDialog
            kind={adding}
            provider={provider}
            takenNames={factors.map(({ name }) => name)}
            onDone={() => void finish()}
            onCancel={() => setAdding(null)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
