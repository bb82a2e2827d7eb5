import { area } from '../area.ts'

export const scanStrings = area('scan', {
  title: 'Scan a QR code',
  asking: 'Allow camera access',
  askingHint: 'The picture stays on this device.',
  pointCamera: 'Point the camera at the other device’s QR code.',
  view: 'Camera',
  foreign: 'This QR code isn’t for a portal on this server.',
  refused: 'Camera access is blocked. Allow it in your browser, or enter the code.',
  none: 'No camera found. Enter the code instead.',
  busy: 'Couldn’t start the camera. Another app may be using it. Enter the code instead.',
  typeCode: 'Enter the code',
})
