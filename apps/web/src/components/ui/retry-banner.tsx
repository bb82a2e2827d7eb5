import type { ReactNode } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

interface RetryBannerProps {
  readonly onRetry: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** Shown in place of content that failed to load, with a retry button. */
export function RetryBanner({ onRetry, className = '', children }: RetryBannerProps) {
  return (
    <Banner
      tone="rust"
      urgent
      className={className}
      actions={
        <Button size="compact" onClick={onRetry}>
          {controlStrings.retry}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
