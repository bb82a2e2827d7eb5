import { ignore } from '@sallyport/contract/ignore'
import decodeQR from 'qr/decode.js'

export type CameraError = 'refused' | 'none' | 'busy'

const scanIntervalMs = 150
const maxSidePx = 960

/** Opens the camera, the rear one where there are several. */
export async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('This browser has no media devices', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment' } })
}

export function cameraErrorOf(error: unknown): CameraError {
  const { name } = error as DOMException
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy'
}

export function stopCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Reports every QR code in the video until the returned function is called. No image leaves this device. */
export function watchForCodes(video: HTMLVideoElement, onText: (text: string) => void): () => void {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })

  function scanFrame(): void {
    const { videoWidth, videoHeight } = video
    if (!context || videoWidth === 0) return
    const scale = Math.min(1, maxSidePx / Math.max(videoWidth, videoHeight))
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const text = readCode(context.getImageData(0, 0, canvas.width, canvas.height))
    if (text !== null) onText(text)
  }

  const timer = setInterval(scanFrame, scanIntervalMs)
  return () => clearInterval(timer)
}

function readCode(image: ImageData): string | null {
  try {
    return decodeQR(image)
  } catch (error) {
    ignore(error, 'there is no readable code in the picture')
    return null
  }
}
