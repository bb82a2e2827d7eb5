import { expect, test } from 'vitest'
import { namePastedImages } from './name-pasted-images.ts'

test('FIL-18 pasted pictures without a name are named by the time, each differently', () => {
  const picture = (name: string, type = 'image/png') => new File(['x'], name, { type })
  const now = new Date(2027, 0, 5, 9, 7)

  const named = namePastedImages(
    [picture('image.png'), picture('image.png'), picture('image.bin', 'image/jpeg'), picture('plan.png')],
    now,
  )

  expect(named.map(({ name }) => name)).toEqual([
    'Pasted image 2027-01-05 09.07.png',
    'Pasted image 2027-01-05 09.07 (2).png',
    'Pasted image 2027-01-05 09.07.jpg',
    'plan.png',
  ])
})
