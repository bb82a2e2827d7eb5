/** Reloads the page when a chunk is missing because the server has been updated to a newer build. */
export function reloadOnNewBuild(): void {
  window.addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  const response = await fetch('/', { cache: 'no-store' }).catch(() => null)
  if (!response?.ok) return
  const ownScript = new URL(import.meta.url).pathname
  if (!(await response.text()).includes(ownScript)) location.reload()
}
