import { expect, test } from 'vitest'
import { cameraRollType, previewOf } from './media-type.ts'

test('previewOf: images and videos get a type from a fixed list, regardless of case', () => {
  expect(previewOf('IMG_2044.JPG')).toEqual({ kind: 'picture', type: 'image/jpeg' })
  expect(previewOf('a.b.png')).toEqual({ kind: 'picture', type: 'image/png' })
  for (const name of ['walk.mp4', 'walk.mov', 'walk.3gp', 'walk.webm']) expect(previewOf(name)?.kind).toBe('film')
})

test('T178 previewOf: files that may contain scripts and unknown files have no preview', () => {
  for (const name of ['x.svg', 'x.html', 'x.xml', 'x.pdf', 'x.png.svg', 'x', '.png.', 'png', 'constructor']) {
    expect(previewOf(name), name).toBeNull()
  }
})

test('FIL-19 cameraRollType: only the listed image and video types can be saved to the camera roll', () => {
  const supported = 'jpeg jpg gif png heic heif webp bmp tiff mp4 mov 3gp avi mkv webm'.split(' ')
  for (const extension of supported) expect(cameraRollType(`x.${extension}`), extension).toMatch(/^(image|video)\//)
  for (const extension of ['svg', 'pdf', 'avif', 'zip', 'txt', 'constructor', '']) {
    expect(cameraRollType(`x.${extension}`), extension).toBeNull()
  }
})
