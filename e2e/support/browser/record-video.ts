import type { Page } from '@playwright/test'

/** Records a video of 64 by 64 pixels in the browser; a step takes 50 ms. */
export async function recordVideo(page: Page, steps = 12): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await page.evaluate(async (count) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    const brush = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let step = 0; step < count; step += 1) {
      brush?.fillRect(step % 44, step % 44, 20, 20)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await stopped
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  }, steps)
  return new Uint8Array(bytes)
}
