import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { direct } from './portals.ts'
import type { Picture } from './qr-picture.ts'

const width = 640
const height = 480
const frames = 4
/** How far the other device is turned, as hands hold it. */
const turnedBy = (6 * Math.PI) / 180
const [black, wall, grey] = [24, 150, 128]

export interface FakeCamera {
  readonly launchOptions: typeof direct
  /** Holds this in front of the camera from the next time that it is started. */
  see(picture: Picture): void
  remove(): void
}

/** A browser whose camera sees what a file holds. */
export function createFakeCamera(): FakeCamera {
  const file = join(tmpdir(), `sallyport-camera-${process.pid}.y4m`)
  const show = (lightAt: (x: number, y: number) => number) => {
    const bright = new Uint8Array(width * height)
    for (let at = 0; at < bright.length; at += 1) bright[at] = lightAt(at % width, Math.floor(at / width))
    const frame = [Buffer.from('FRAME\n'), bright, new Uint8Array((width * height) / 2).fill(grey)]
    const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420mpeg2\n`)
    writeFileSync(file, Buffer.concat([head, ...Array.from({ length: frames }, () => frame).flat()]))
  }
  show(() => wall)
  // People, and not the machine, say whether the camera may be used.
  const args = direct.args.filter((arg) => !arg.includes('fake-ui'))
  return {
    launchOptions: { ...direct, args: [...args, `--use-file-for-fake-video-capture=${file}`] },
    see: (picture) => show((x, y) => lightOf(picture, x, y)),
    remove: () => rmSync(file, { force: true }),
  }
}

/** How light a point of the camera's picture is, where a screen in front of a wall shows the code. */
function lightOf({ width: side, data }: Picture, x: number, y: number): number {
  const [fromMiddleX, fromMiddleY] = [x - width / 2, y - height / 2]
  const scale = side / (height * 0.7)
  const codeX = Math.floor((fromMiddleX * Math.cos(turnedBy) + fromMiddleY * Math.sin(turnedBy)) * scale + side / 2)
  const codeY = Math.floor((fromMiddleY * Math.cos(turnedBy) - fromMiddleX * Math.sin(turnedBy)) * scale + side / 2)
  if (codeX < 0 || codeY < 0 || codeX >= side || codeY >= side) return wall
  return Math.max(black, (data[(codeY * side + codeX) * 4] ?? 0) - black)
}
