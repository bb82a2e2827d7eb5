import decodeQR from 'qr/decode.js'

export type CameraTrouble = 'refused' | 'none' | 'busy'

const lookEveryMs = 150
const longestSide = 960

/** Opens the camera that looks away from whoever holds the device, where there are several. */
export async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('There are no devices', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment' } })
}

export function troubleOf(error: unknown): CameraTrouble {
  const { name } = error as DOMException
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy'
}

export function stopCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Tells of every QR code in a picture that moves, until what it answers is called. No picture leaves this device. */
export function watchForCodes(video: HTMLVideoElement, onText: (text: string) => void): () => void {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })

  function look(): void {
    const { videoWidth, videoHeight } = video
    if (!context || videoWidth === 0) return
    const scale = Math.min(1, longestSide / Math.max(videoWidth, videoHeight))
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const text = readCode(context.getImageData(0, 0, canvas.width, canvas.height))
    if (text !== null) onText(text)
  }

  const timer = setInterval(look, lookEveryMs)
  return () => clearInterval(timer)
}

function readCode(picture: ImageData): string | null {
  try {
    return decodeQR(picture)
  } catch {
    return null
  }
}
