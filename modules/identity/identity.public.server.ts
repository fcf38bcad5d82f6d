/** Identity calls for other contexts: passwords, the tokens that mails carry, people as mails name them. */
export { checkNewPassword, hashPassword } from './session/password.server.ts';
export { contactOf, greetingOf, representativeOf, type Representative } from './user/mail-people.server.ts';
export { principalOfPerson } from './session/session.server.ts';
export { hashToken, newToken } from './session/session.server.ts';
