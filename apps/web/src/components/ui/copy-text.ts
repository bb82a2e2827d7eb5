/**
 * Copies a text to the clipboard. The text may be a pending promise, because Safari requires the clipboard call to happen
 * synchronously in the click handler. Resolves with false if the browser denies access; rejects if `text` rejects.
 */
export async function copyText(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((resolved) => new Blob([resolved], { type: 'text/plain' }))
    // If the clipboard denies access, nothing else handles a rejection of `blob`.
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    const resolved = await text
    return navigator.clipboard.writeText(resolved).then(
      () => true,
      () => false,
    )
  }
}
