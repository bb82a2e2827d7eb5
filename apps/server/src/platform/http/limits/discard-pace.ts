/** A socket yields about 64 KB at a time, so that at most some 6 MB a second are read. */
const pauseMs = 10

/**
 * Slows a source down whose bytes are only read to be discarded; otherwise they could delay other requests. The returned
 * function is called for each piece.
 */
export function createDiscardPace(source: { pause(): unknown; resume(): unknown }): () => void {
  let isPaused = false
  return () => {
    if (isPaused) return
    isPaused = true
    source.pause()
    setTimeout(() => {
      isPaused = false
      source.resume()
    }, pauseMs)
  }
}
