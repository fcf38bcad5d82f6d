/** What other contexts may use of identity: passwords and the tokens that mails carry. */
export { checkNewPassword, hashPassword } from './session/password.server.ts';
export { principalOfPerson } from './session/session.server.ts';
export { hashToken, newToken } from './session/session.server.ts';
