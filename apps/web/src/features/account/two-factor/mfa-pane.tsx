import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { BackupCodesSection } from './backup-codes-section.tsx'
import { FactorRow } from './factor-row.tsx'
import type { LoadProvider, VerifiedFactor } from './factors.ts'
import { factorsQuery, useInvalidateFactors } from './mfa.queries.ts'

const EnrolDialog = lazyPart(async () => (await import('./enrol-dialog.tsx')).EnrolDialog, { notice: 'floating' })

interface MfaPaneProps {
  readonly provider: LoadProvider
}

/** Lists, adds and removes the factors of the account. */
export function MfaPane({ provider }: MfaPaneProps) {
  const query = useQuery(factorsQuery(provider))
  return (
    <Card aria-labelledby="second-factor-heading">
      <CardHeading id="second-factor-heading" title={mfaStrings.heading} />
      <p className="mt-1 mb-4 text-sm text-ink-2">{mfaStrings.intro}</p>
      <Loaded query={query} failed={mfaStrings.listFailed} skeletonClassName="h-10">
        {(factors) => <FactorList factors={factors} provider={provider} />}
      </Loaded>
    </Card>
  )
}

interface FactorListProps extends MfaPaneProps {
  readonly factors: readonly VerifiedFactor[]
}

function FactorList({ factors, provider }: FactorListProps) {
  const { data: config } = useQuery(configQuery(useCall()))
  const [adding, setAdding] = useState<VerifiedFactor['kind'] | null>(null)
  const invalidateFactors = useInvalidateFactors()
  const toast = useToast()

  async function finish() {
    setAdding(null)
    toast({ text: mfaStrings.added, tone: 'seal' })
    await invalidateFactors()
  }

  return (
    <>
      {factors.length === 0 ? (
        <p className="text-sm font-medium">{mfaStrings.none}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} provider={provider} isLast={factors.length === 1} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button onClick={() => setAdding('totp')}>{mfaStrings.addApp}</Button>
        {config?.features.sms ? <Button onClick={() => setAdding('phone')}>{mfaStrings.addPhone}</Button> : null}
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
