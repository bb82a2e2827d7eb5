const background = '<rect width="32" height="32" rx="7" fill="#14211f"/>'
const ring = { paper: '#3b4a47', seal: '#3fae96', rust: '#d9694f' }

/** What the icon of the browser tab shows: the progress of transfers, that they are done, or that one failed. */
export type TabIconState = { readonly share: number } | 'done' | 'failed'

/** Renders the icon as a data URL. */
export function renderTabIcon(state: TabIconState): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${background}${renderSymbol(state)}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function renderSymbol(state: TabIconState): string {
  if (state === 'done') {
    return `<circle cx="16" cy="16" r="11" fill="${ring.seal}"/><path fill="none" stroke="#14211f" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10.8 16.4 3.6 3.6 7-7.6"/>`
  }
  if (state === 'failed') {
    return `<circle cx="16" cy="16" r="11" fill="${ring.rust}"/><path stroke="#14211f" stroke-width="3" stroke-linecap="round" d="M16 10v7M16 21.6v.2"/>`
  }
  // In steps of 5 percent: finer steps are hardly visible, and browsers redraw the icon for each.
  const percent = Math.round(Math.min(1, Math.max(0, state.share)) * 20) * 5
  const circle = 'cx="16" cy="16" r="9.5" fill="none" stroke-width="5"'
  return `<circle ${circle} stroke="${ring.paper}"/><circle ${circle} stroke="${ring.seal}" pathLength="100" stroke-dasharray="${percent} 100" transform="rotate(-90 16 16)"/>`
}
