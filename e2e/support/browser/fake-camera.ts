import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../../../tools/system-packages.ts'
import { directConnectionOptions } from '../portals/portals.ts'
import type { Bitmap } from '../portals/qr-code.ts'

const width = 640
const height = 480
const frames = 4
/** Rotation of the filmed device, as if it were held by hand. */
const rotation = (6 * Math.PI) / 180
const [blackBrightness, wallBrightness, greyChroma] = [24, 150, 128]

export interface FakeCamera {
  readonly launchOptions: typeof directConnectionOptions
  /** Shows this picture to the camera from its next start on. */
  showPicture(picture: Bitmap): void
  remove(): void
}

/** Creates launch options for a browser whose camera plays a file. */
export function createFakeCamera(): FakeCamera {
  const file = join(tmpdir(), `sallyport-camera-${process.pid}.y4m`)
  const writeFrames = (brightnessAt: (x: number, y: number) => number) => {
    const luma = new Uint8Array(width * height)
    for (let at = 0; at < luma.length; at += 1) luma[at] = brightnessAt(at % width, Math.floor(at / width))
    const frame = [Buffer.from('FRAME\n'), luma, new Uint8Array((width * height) / 2).fill(greyChroma)]
    const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420mpeg2\n`)
    writeFileSync(file, Buffer.concat([header, ...Array.from({ length: frames }, () => frame).flat()]))
  }
  writeFrames(() => wallBrightness)
  // The test grants or denies the camera permission, not the fake UI.
  const args = directConnectionOptions.args.filter((arg) => !arg.includes('fake-ui'))
  return {
    launchOptions: {
      ...directConnectionOptions,
      executablePath: findChromium(),
      args: [...args, `--use-file-for-fake-video-capture=${file}`],
    },
    showPicture: (picture) => writeFrames((x, y) => brightnessOf(picture, x, y)),
    remove: () => rmSync(file, { force: true }),
  }
}

/** Returns the brightness of a pixel of the camera picture: a screen in front of a wall that shows the code. */
function brightnessOf({ width: side, data }: Bitmap, x: number, y: number): number {
  const [fromMiddleX, fromMiddleY] = [x - width / 2, y - height / 2]
  const scale = side / (height * 0.7)
  const codeX = Math.floor((fromMiddleX * Math.cos(rotation) + fromMiddleY * Math.sin(rotation)) * scale + side / 2)
  const codeY = Math.floor((fromMiddleY * Math.cos(rotation) - fromMiddleX * Math.sin(rotation)) * scale + side / 2)
  if (codeX < 0 || codeY < 0 || codeX >= side || codeY >= side) return wallBrightness
  return Math.max(blackBrightness, (data[(codeY * side + codeX) * 4] ?? 0) - blackBrightness)
}
