import { expect, test } from 'vitest'
import {
  shareDelivered,
  shareEncrypted,
  speakProgress,
  type Transfer,
  type TransferState,
  writeFigures,
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

test('FIL-02 a transfer under way shows percent, bytes, speed and time left', () => {
  const shown = transfer(moving({ bytesPerSecond: 12.4 * mebibyte, secondsLeft: 24 }))

  expect(writeFigures(shown)).toEqual({
    percent: '25%',
    bytes: '100.00 MB of 400.00 MB',
    speed: '12.4 MB/s',
    timeLeft: 'about 30 s left',
  })
})

test('a speed and a time that nobody can know yet are left out', () => {
  expect(writeFigures(transfer(moving()))).toEqual({ percent: '25%', bytes: '100.00 MB of 400.00 MB' })
})

test('a waiting transfer shows its size and no percent', () => {
  expect(writeFigures(transfer({ phase: 'waiting' }))).toEqual({ bytes: '400.00 MB' })
})

test('a failed transfer shows no figures but keeps the share it had reached', () => {
  const failed = transfer({ phase: 'failed', message: 'Network error during upload', deliveredBytes: 300 * mebibyte })

  expect(writeFigures(failed)).toEqual({})
  expect(shareDelivered(failed)).toBe(0.75)
})

test('an empty file is at zero until it is done', () => {
  expect(shareDelivered(transfer(moving({ deliveredBytes: 0 }), 0))).toBe(0)
  expect(shareDelivered(transfer({ phase: 'done' }, 0))).toBe(1)
})

test('more bytes than the file has never count as more than all of it', () => {
  expect(shareDelivered(transfer(moving({ deliveredBytes: 500 * mebibyte })))).toBe(1)
})

test('what is encrypted is told apart from what is delivered', () => {
  expect(shareEncrypted(transfer(moving({ encrypted: 0.8 })))).toBe(0.8)
  expect(shareDelivered(transfer(moving({ encrypted: 0.8 })))).toBe(0.25)
})

test('the spoken value spells its units out', () => {
  expect(speakProgress(transfer(moving({ secondsLeft: 24 })))).toBe('25 percent, about 30 seconds left')
  expect(speakProgress(transfer(moving({ secondsLeft: 100 })))).toBe('25 percent, about 2 minutes left')
  expect(speakProgress(transfer(moving()))).toBe('25 percent')
})

test('a paused transfer says so where its time left would be', () => {
  const paused = transfer({
    phase: 'paused',
    reason: 'Waiting for the network',
    deliveredBytes: 0,
    bytesPerSecond: null,
    secondsLeft: 9,
  })

  expect(speakProgress(paused)).toBe('0 percent, paused')
})
