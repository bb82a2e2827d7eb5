/**
 * Puts a text on the clipboard, one that is still being made too: Safari only allows it when the clipboard is asked in
 * the very moment of the press. False when the browser refuses; a text that cannot be made rejects.
 */
export async function copyText(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((made) => new Blob([made], { type: 'text/plain' }))
    // A clipboard that refuses at once never looks at it.
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    const made = await text
    return navigator.clipboard.writeText(made).then(
      () => true,
      () => false,
    )
  }
}
