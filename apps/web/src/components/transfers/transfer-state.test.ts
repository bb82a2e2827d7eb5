import { expect, test } from 'vitest'
import {
  describeProgress,
  formatFigures,
  shareDelivered,
  shareEncrypted,
  type Transfer,
  type TransferState,
} from './transfer-state.ts'

const mebibyte = 1024 * 1024

function transfer(state: TransferState, sizeBytes = 400 * mebibyte): Transfer {
  return { id: 'one', fileName: 'plan.pdf', sizeBytes, state }
}

function moving(figures: Partial<Extract<TransferState, { phase: 'moving' }>> = {}): TransferState {
  return {
    phase: 'moving',
    encrypted: 0.5,
    deliveredBytes: 100 * mebibyte,
    bytesPerSecond: null,
    secondsLeft: null,
    ...figures,
  }
}

test('FIL-02 formatFigures: an active transfer shows percent, bytes, speed and time left', () => {
  const shown = transfer(moving({ bytesPerSecond: 12.4 * mebibyte, secondsLeft: 24 }))

  expect(formatFigures(shown)).toEqual({
    percent: '25%',
    bytes: '100.00 MB of 400.00 MB',
    speed: '12.4 MB/s',
    timeLeft: 'about 30 s left',
  })
})

test('formatFigures: an unknown speed and time left are omitted', () => {
  expect(formatFigures(transfer(moving()))).toEqual({ percent: '25%', bytes: '100.00 MB of 400.00 MB' })
})

test('formatFigures: a waiting transfer shows its size and no percent', () => {
  expect(formatFigures(transfer({ phase: 'waiting' }))).toEqual({ bytes: '400.00 MB' })
})

test('formatFigures: a failed transfer shows no figures but keeps its progress', () => {
  const failed = transfer({ phase: 'failed', message: 'Network error during upload', deliveredBytes: 300 * mebibyte })

  expect(formatFigures(failed)).toEqual({})
  expect(shareDelivered(failed)).toBe(0.75)
})

test('shareDelivered: an empty file is at 0 until it is done', () => {
  expect(shareDelivered(transfer(moving({ deliveredBytes: 0 }), 0))).toBe(0)
  expect(shareDelivered(transfer({ phase: 'done' }, 0))).toBe(1)
})

test('shareDelivered: more bytes than the file size count as 1', () => {
  expect(shareDelivered(transfer(moving({ deliveredBytes: 500 * mebibyte })))).toBe(1)
})

test('shareEncrypted: encrypted and delivered bytes are separate', () => {
  expect(shareEncrypted(transfer(moving({ encrypted: 0.8 })))).toBe(0.8)
  expect(shareDelivered(transfer(moving({ encrypted: 0.8 })))).toBe(0.25)
})

test('describeProgress: units are spelled out', () => {
  expect(describeProgress(transfer(moving({ secondsLeft: 24 })))).toBe('25 percent, about 30 seconds left')
  expect(describeProgress(transfer(moving({ secondsLeft: 100 })))).toBe('25 percent, about 2 minutes left')
  expect(describeProgress(transfer(moving()))).toBe('25 percent')
})

test('describeProgress: a paused transfer is described as paused', () => {
  const paused = transfer({
    phase: 'paused',
    reason: 'Waiting for the network',
    deliveredBytes: 0,
    bytesPerSecond: null,
    secondsLeft: 9,
  })

  expect(describeProgress(paused)).toBe('0 percent, paused')
})
