import { uploadLimits } from '@sallyport/contract/limits'

/** Cuts an upload that moves too little, so that nobody holds connections open for nothing. */
export function guardAgainstStall(cut: () => void, periodMs: number = uploadLimits.stallMs) {
  let moved = 0
  const timer = setInterval(() => {
    if (moved < uploadLimits.stallBytes) cut()
    moved = 0
  }, periodMs).unref()
  return {
    count(bytes: number): void {
      moved += bytes
    },
    stop: (): void => clearInterval(timer),
  }
}
