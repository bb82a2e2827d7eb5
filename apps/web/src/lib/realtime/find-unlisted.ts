interface FindUnlistedDeps {
  readonly isListed: (fileId: string) => boolean
  readonly onUnlisted: () => void
}

interface UnlistedFinder {
  readonly add: (fileIds: readonly string[]) => void
  readonly stop: () => void
}

/** The live channel usually announces a file before the response to its upload has arrived. */
const intervalMs = 500

/**
 * Calls back where files that were uploaded are not in the list after 0.5 to 1 s, because the live channel has not
 * announced them.
 */
export function findUnlisted({ isListed, onUnlisted }: FindUnlistedDeps): UnlistedFinder {
  let recent: readonly string[] = []
  let previous: readonly string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function check(): void {
    const isAnyUnlisted = previous.some((id) => !isListed(id))
    previous = recent
    recent = []
    timer = previous.length > 0 ? setTimeout(check, intervalMs) : undefined
    if (isAnyUnlisted) onUnlisted()
  }

  return {
    add(fileIds) {
      recent = [...recent, ...fileIds]
      timer ??= setTimeout(check, intervalMs)
    },
    stop: () => clearTimeout(timer),
  }
}
