/**
 * Allocator settings that glibc reads only when a process starts. By default it does not return the memory of threads to
 * the system, such as the 19 MB of a password hash on each of 16 threads. With these settings blocks of at least 4 MB are
 * returned at once, and smaller ones when 16 MB of them are free.
 */
export const memorySettings = { MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '16777216' } as const

/** Re-executes this process with these settings and the same process id, unless such settings are present. */
export function reexecWithMemorySettings(): void {
  if (process.platform !== 'linux') return
  if (Object.keys(memorySettings).some((name) => name in process.env)) return
  // A child process with an IPC channel would lose it.
  if (process.channel !== undefined) return
  const argv = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, argv, { ...process.env, ...memorySettings })
}
