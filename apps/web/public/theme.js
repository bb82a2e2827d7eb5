// Runs before the first paint, so that a chosen theme never flashes the other one. Reads the stored locale as well.
try {
  const theme = localStorage.getItem('theme')
  document.documentElement.dataset.theme = theme === 'light' || theme === 'dark' ? theme : 'system'
  const locale = localStorage.getItem('locale')
  if (locale) document.documentElement.dataset.locale = locale
} catch {
  document.documentElement.dataset.theme = 'system'
}
