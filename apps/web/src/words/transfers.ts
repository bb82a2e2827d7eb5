export const transferWords = {
  dock: 'Transfers',
  all: 'All transfers',
  underWay: (count: number) => (count === 1 ? '1 transfer' : `${count} transfers`),
  done: 'Done',
  failed: (count: number) => (count === 1 ? '1 transfer failed' : `${count} transfers failed`),
  stopped: 'Cancelled',
  show: 'Show transfers',
  hide: 'Hide transfers',
} as const
