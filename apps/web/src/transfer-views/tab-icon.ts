const ground = '<rect width="32" height="32" rx="7" fill="#14211f"/>'
const ring = { paper: '#3b4a47', seal: '#3fae96', rust: '#d9694f' }

/** What the icon of the browser's tab tells: how far transfers are, that they are done, or that one failed. */
export type TabSign = { readonly share: number } | 'done' | 'failed'

/** A picture of it as an address. */
export function drawTabSign(sign: TabSign): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${ground}${pictureOf(sign)}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function pictureOf(sign: TabSign): string {
  if (sign === 'done') {
    return `<circle cx="16" cy="16" r="11" fill="${ring.seal}"/><path fill="none" stroke="#14211f" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10.8 16.4 3.6 3.6 7-7.6"/>`
  }
  if (sign === 'failed') {
    return `<circle cx="16" cy="16" r="11" fill="${ring.rust}"/><path stroke="#14211f" stroke-width="3" stroke-linecap="round" d="M16 10v7M16 21.6v.2"/>`
  }
  // In steps of five percent: hardly more can be seen, and browsers draw each icon anew.
  const percent = Math.round(Math.min(1, Math.max(0, sign.share)) * 20) * 5
  const circle = 'cx="16" cy="16" r="9.5" fill="none" stroke-width="5"'
  return `<circle ${circle} stroke="${ring.paper}"/><circle ${circle} stroke="${ring.seal}" pathLength="100" stroke-dasharray="${percent} 100" transform="rotate(-90 16 16)"/>`
}
