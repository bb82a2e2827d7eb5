import { uploadLimits } from '@sallyport/contract/limits'

/**
 * Calls `onStall` for an upload that transfers too little per period, so that idle uploads do not hold connections
 * open.
 */
export function createStallGuard(onStall: () => void, periodMs: number = uploadLimits.stallMs) {
  let transferredBytes = 0
  const timer = setInterval(() => {
    if (transferredBytes < uploadLimits.stallBytes) onStall()
    transferredBytes = 0
  }, periodMs).unref()
  return {
    count(bytes: number): void {
      transferredBytes += bytes
    },
    stop: (): void => clearInterval(timer),
  }
}
