/** Removes a malformed PIN from the URL before any code reads it. */
export function removeMalformedPin(): void {
  const url = new URL(location.href)
  const pins = url.searchParams.getAll('join')
  if (pins.length === 0 || (pins.length === 1 && /^[1-9][0-9]{5}$/.test(pins[0] ?? ''))) return
  url.searchParams.delete('join')
  history.replaceState(history.state, '', url)
}
