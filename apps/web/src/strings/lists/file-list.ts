import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const fileListStrings = area('fileList', {
  hiddenRows: (count: number) => plural(count, { one: '1 more file', other: `${formatNumber(count)} more files` }),
  showAll: 'Show all',
})
