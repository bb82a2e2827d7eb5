export { messageFor as errorMessage, UserFacingError } from '#/strings/errors/message-for.ts'
