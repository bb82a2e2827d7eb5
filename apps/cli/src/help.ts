export const help = `Download end-to-end encrypted files from share links.

Usage
  sallyport get <share link> [-o <path>]

  get           Download, decrypt and save the file of a share link.
                A download that was stopped or lost its connection resumes with the same command.
                Put the link in quotes. The part after # is the key, which never leaves this machine.

Options
  -o, --output  The file or folder to save to. Default: the sanitized file name in the current folder.
                Existing files are never overwritten.
  -h, --help    Show this help.
  --version     Show the version.

Exit codes
  0    the file has been saved, complete and verified
  1    the file could not be downloaded, decrypted or saved
  2    the command line is not valid
  130  stopped by Ctrl+C
`
