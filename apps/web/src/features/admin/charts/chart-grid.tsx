import type { ReactNode } from 'react'
import { Skeleton } from '#/components/ui/skeleton.tsx'

/** Charts in one to three columns. */
export const ChartGrid = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid gap-4 md:grid-cols-2 rail:grid-cols-3">{children}</div>
)

/** The charts of these keys while they are loading. */
export const LoadingCharts = ({ chartKeys }: { readonly chartKeys: readonly string[] }) => (
  <ChartGrid>
    {chartKeys.map((key) => (
      <Skeleton key={key} className="h-64 rounded-card!" />
    ))}
  </ChartGrid>
)
