import { expect, test } from 'vitest'
import { cameraRollType, previewOf } from './media-type.ts'

test('pictures of pixels and films are shown under a type of our own, whatever their names are written like', () => {
  expect(previewOf('IMG_2044.JPG')).toEqual({ kind: 'picture', type: 'image/jpeg' })
  expect(previewOf('a.b.png')).toEqual({ kind: 'picture', type: 'image/png' })
  for (const name of ['walk.mp4', 'walk.mov', 'walk.3gp', 'walk.webm']) expect(previewOf(name)?.kind).toBe('film')
})

test('T178 what could hold a script is not shown, nor what is unknown', () => {
  for (const name of ['x.svg', 'x.html', 'x.xml', 'x.pdf', 'x.png.svg', 'x', '.png.', 'png', 'constructor']) {
    expect(previewOf(name), name).toBeNull()
  }
})

test('FIL-19 the camera roll takes the pictures and films that are listed, and nothing else', () => {
  const taken = 'jpeg jpg gif png heic heif webp bmp tiff mp4 mov 3gp avi mkv webm'.split(' ')
  for (const ending of taken) expect(cameraRollType(`x.${ending}`), ending).toMatch(/^(image|video)\//)
  for (const ending of ['svg', 'pdf', 'avif', 'zip', 'txt', 'constructor', '']) {
    expect(cameraRollType(`x.${ending}`), ending).toBeNull()
  }
})
