import { expect, test } from 'vitest'
import { csvFileName, writeCsv } from './days-csv.ts'

test('writeCsv: a header and a row for each day, all with CRLF', () => {
  const days = [
    { day: '2026-11-27', count: 12_345 },
    { day: '2026-11-28', count: 0 },
  ]
  expect(writeCsv('uploaded_bytes', days)).toBe('day,uploaded_bytes\r\n2026-11-27,12345\r\n2026-11-28,0\r\n')
})

test('csvFileName: names the chart and its days', () => {
  expect(csvFileName('active_users', 30)).toBe('sallyport-active-users-30-days.csv')
})
