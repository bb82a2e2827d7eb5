import { authSessionLimits } from '@sallyport/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { useNow } from '#/lib/use-now.ts'
import { staySignedInStrings } from '#/strings/account/sign-in.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDateTime } from '#/strings/format.ts'
import { useAccounts } from '../accounts-context.ts'

const ExtendSessionDialog = lazyPart(async () => (await import('../sign-in/extend-session-dialog.tsx')).StayDialog, {
  notice: 'floating',
})

interface SessionExpiryBannerProps {
  readonly name: string
}

const checkIntervalMs = 5000

/** Warns before the session ends and offers to extend it. The live region is always mounted, so screen readers announce it. */
export function SessionExpiryBanner({ name }: SessionExpiryBannerProps) {
  const { sessionLifetime, auth } = useAccounts().signInDeps
  const now = useNow(checkIntervalMs)
  const [isDialogOpen, setDialogOpen] = useState(false)
  /** On a remembered device the click itself counts as activity; refreshing the token reports it to the server. */
  const refresh = useMutation({
    mutationFn: async () => void unwrapAuthResponse(await (await auth.provider()).refreshSession()),
    networkMode: 'always',
  })
  const endsAt = sessionLifetime.endsAt()
  const isEnding = endsAt !== null && endsAt > now && endsAt - now <= authSessionLimits.warnBeforeMs

  return (
    <div role="status" className="mx-auto w-full max-w-page px-4 empty:hidden md:px-6">
      {isEnding ? (
        <Banner
          tone="brass"
          className="mt-4"
          actions={
            <Button
              size="compact"
              onClick={() => (sessionLifetime.canExtend() ? refresh.mutate() : setDialogOpen(true))}
            >
              {staySignedInStrings.stay}
            </Button>
          }
        >
          {refresh.error
            ? messageFor(refresh.error, staySignedInStrings.failed)
            : staySignedInStrings.ending(formatDateTime(endsAt, { hour: 'numeric', minute: '2-digit' }))}
        </Banner>
      ) : null}
      {isDialogOpen ? (
        <Suspense>
          <ExtendSessionDialog name={name} onClose={() => setDialogOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
