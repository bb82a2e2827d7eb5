/** How long a page of another site may take to open before its button can be pressed again. */
export const openingMs = 20_000

/** Opens a page of another site. Resolves if the browser restores this page from its cache, or has not left it. */
export function leaveFor(url: string): Promise<void> {
  return new Promise((resolve) => {
    function handlePageShow({ persisted }: PageTransitionEvent) {
      if (persisted) end()
    }
    function end() {
      clearTimeout(timer)
      removeEventListener('pageshow', handlePageShow)
      resolve()
    }
    const timer = setTimeout(end, openingMs)
    addEventListener('pageshow', handlePageShow)
    location.assign(url)
  })
}
