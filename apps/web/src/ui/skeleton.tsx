import { classNames } from './class-names.ts'

interface SkeletonProps {
  /** Give it the size of what it stands for. */
  readonly className?: string
}

/** Stands where something will be. It stays invisible for the first 200 ms, since most waits are shorter. */
export function Skeleton({ className }: SkeletonProps) {
  return <span aria-hidden className={classNames('skeleton block rounded-segment bg-sunken', className)} />
}
