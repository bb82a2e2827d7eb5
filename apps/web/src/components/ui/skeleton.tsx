import { classNames } from './class-names.ts'

interface SkeletonProps {
  /** Set the size of the content that it represents. */
  readonly className?: string
}

/** Loading placeholder. It stays invisible for the first 200 ms, because most waits are shorter. */
export function Skeleton({ className }: SkeletonProps) {
  return <span aria-hidden className={classNames('skeleton block rounded-segment bg-sunken', className)} />
}
