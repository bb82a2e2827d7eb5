/**
 * Read by the GNU C library when a process starts, and never again. Left to itself it keeps what was once given to a
 * thread: the 19 MB of a slow hash on each of 16 threads. With these, blocks of 4 MB and more go back at once, and smaller
 * ones once 16 MB of them lie unused.
 */
export const memorySettings = { MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '16777216' } as const

/** Begins this process anew with these settings, under the same number, unless it has them or others. */
export function startOverWithMemorySettings(): void {
  if (process.platform !== 'linux') return
  if (Object.keys(memorySettings).some((name) => name in process.env)) return
  // Whoever speaks with this process would not be heard any more.
  if (process.channel !== undefined) return
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, words, { ...process.env, ...memorySettings })
}
