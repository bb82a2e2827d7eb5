// Runs before the first paint, so that a chosen theme never flashes the other one.
try {
  const theme = localStorage.getItem('theme')
  document.documentElement.dataset.theme = theme === 'light' || theme === 'dark' ? theme : 'system'
} catch {
  document.documentElement.dataset.theme = 'system'
}
