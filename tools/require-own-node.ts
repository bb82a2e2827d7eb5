const wantedMajor = 26
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < wantedMajor) {
  process.stderr.write(
    `Sallyport installs its own Node ${wantedMajor}; this is ${process.version}. Use npm (npm start, npm test) or node_modules/.bin/node.\n`,
  )
  process.exit(1)
}
