import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

interface RetryBannerProps {
  readonly label: string
  readonly onRetry: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** What stands in place of something that could not be loaded, with the way to ask for it again. */
export function RetryBanner({ label, onRetry, className = '', children }: RetryBannerProps) {
  return (
    <Banner
      tone="rust"
      urgent
      className={className}
      actions={
        <Button size="compact" onClick={onRetry}>
          {label}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
