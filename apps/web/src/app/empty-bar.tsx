import { Brand } from '#/motifs/mark.tsx'
import { Bar } from '#/ui/bar.tsx'

/** Stands where the top bar will be while the sign-in is being looked up. */
export function EmptyBar() {
  return (
    <Bar>
      <Brand />
    </Bar>
  )
}
