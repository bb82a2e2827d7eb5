/** Loads the page anew when a part of it is gone because the server has been given a newer build in the meantime. */
export function followNewBuild(): void {
  window.addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return
  const ownScript = new URL(import.meta.url).pathname
  if (!(await answer.text()).includes(ownScript)) location.reload()
}
