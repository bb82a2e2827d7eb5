import type { EmailContent } from './email-content.ts'

/** Our own pages take the link; other clients of the authentication API ask for the code. */
const codeHint = 'Only if you started this in another app, enter this code there:'

/** Renders an email as plain text. */
export function renderPlainText({ paragraphs, button, code, closing }: EmailContent): string {
  const lines = [
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.link}`] : []),
    ...(button && code !== undefined ? [codeHint] : []),
    ...(code === undefined ? [] : [`Code: ${code}`]),
    closing,
    '-- \nSallyport',
  ]
  return `${lines.join('\n\n')}\n`
}

/** Clients without media queries show the light colours; others switch to the dark ones in dark mode. */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #16140f !important; }
  .card { background-color: #211e18 !important; border-color: #3a352b !important; }
  .ink { color: #f2efe6 !important; }
  .soft { color: #b3ac9d !important; }
  .code { background-color: #16140f !important; color: #f2efe6 !important; }
  .button { background-color: #f2efe6 !important; }
  .button a { color: #211e18 !important; }
}`

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Renders an email as a self-contained HTML page without images, scripts or external resources. */
export function renderHtml({ subject, paragraphs, button, code, closing }: EmailContent): string {
  const parts = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px;color:#26221b">${escapeHtml(subject)}</h1>`,
    ...paragraphs.map(
      (text) =>
        `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#26221b">${escapeHtml(text)}</p>`,
    ),
    ...(button ? [renderButton(button)] : []),
    ...(button && code !== undefined ? [renderHint(codeHint)] : []),
    ...(code === undefined ? [] : [renderCode(code)]),
    `<p class="soft" style="margin:24px 0 0;font-size:13px;line-height:20px;color:#6a6355">${escapeHtml(closing)}</p>`,
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${style}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f4f2ec">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background-color:#f4f2ec">
<tr><td align="center" style="padding:32px 16px;${font}">
<p class="soft" style="margin:0 0 16px;font-size:14px;font-weight:600;color:#6a6355">Sallyport</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td class="card" align="left" style="padding:32px;background-color:#ffffff;border:1px solid #ddd8cc;border-radius:12px;${font}">
${parts.join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function renderButton({ label, link }: NonNullable<EmailContent['button']>): string {
  const address = escapeHtml(link)
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 16px"><tr>
<td class="button" style="border-radius:8px;background-color:#26221b"><a href="${address}" style="display:inline-block;padding:12px 20px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td>
</tr></table>
<p class="soft" style="margin:0 0 16px;font-size:13px;line-height:20px;color:#6a6355;word-break:break-all">${address}</p>`
}

const renderHint = (text: string): string =>
  `<p class="soft" style="margin:0 0 8px;font-size:13px;line-height:20px;color:#6a6355">${escapeHtml(text)}</p>`

const renderCode = (code: string): string =>
  `<p class="code" style="margin:0 0 16px;padding:12px 20px;border-radius:8px;background-color:#f4f2ec;color:#26221b;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:24px;letter-spacing:4px;text-align:center">${escapeHtml(code)}</p>`

/** Escapes text for use between tags and in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
