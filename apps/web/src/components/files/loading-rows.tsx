import { Skeleton } from '#/components/ui/skeleton.tsx'

/** A placeholder for a file list that is loading. */
export function LoadingRows({ label }: { readonly label: string }) {
  return (
    <div className="divide-y divide-line border-t border-line" role="status" aria-label={label}>
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className="flex items-center gap-3.5 px-[var(--card-padding)] py-4">
          <Skeleton className="size-9 rounded-control" />
          <div className="grid gap-2">
            <Skeleton className="h-4 w-52" />
            <Skeleton className="h-3 w-36" />
          </div>
        </div>
      ))}
    </div>
  )
}
