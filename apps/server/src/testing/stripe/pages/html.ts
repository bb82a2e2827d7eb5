/** A page, or where the browser is redirected to. */
export type PageAnswer = { readonly html: string } | { readonly location: string }

/** The HTML of a page with a heading and its contents, which are HTML. */
export const pageOf = (title: string, contents: readonly string[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>
${contents.join('\n')}
</main></body>
</html>
`

/** A form with one button that posts to a path. */
export const buttonOf = (label: string, action: string): string =>
  `<form method="post" action="${escapeHtml(action)}"><button type="submit">${escapeHtml(label)}</button></form>`

export const paragraphOf = (text: string): string => `<p>${escapeHtml(text)}</p>`

export const alertOf = (text: string): string => `<p role="alert">${escapeHtml(text)}</p>`

export const linkOf = (label: string, url: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`

export const formatAmount = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')
