export const scanWords = {
  open: 'Scan QR',
  title: 'Scan a QR code',
  asking: 'Please allow the camera',
  askingHint: 'The picture stays on this device.',
  look: 'Point the camera at the QR code of the other device.',
  view: 'Camera',
  foreign: 'This QR code does not lead to a portal here.',
  refused: 'The camera may not be used. Please allow the camera or type the code.',
  none: 'No camera was found. Please type the code.',
  busy: 'The camera could not be started. Another program may be using it. Please type the code.',
  typeCode: 'Type the code',
} as const
