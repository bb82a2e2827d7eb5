import { Brand } from '#/components/brand/logo.tsx'
import { Bar } from '#/components/ui/bar.tsx'

/** Placeholder for the top bar while the auth session is restored. */
export function EmptyBar() {
  return (
    <Bar>
      <Brand />
    </Bar>
  )
}
