const wantedMajor = 26
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < wantedMajor) {
  process.stderr.write(
    `Sallyport brings its own Node ${wantedMajor}; this is ${process.version}. Start it with npm (npm start, npm test), or with node_modules/.bin/node.\n`,
  )
  process.exit(1)
}
