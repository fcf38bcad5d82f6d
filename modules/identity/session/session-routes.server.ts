/** Sign-in endpoints with their handlers. */
import { serve, type Route } from '#server/routes.ts';
import { changePassword, forgotPassword, readPasswordReset, register, resendVerification, resetPassword, verifyEmail }
  from './account.server.ts';
import { sessionEndpoints } from './session.contract.ts';
import { readInvite, registerStaff } from './staff-invite.server.ts';
import { startSession } from './session.server.ts';
import { currentUserOf, signIn, signOut } from './sign-in.server.ts';

export const sessionRoutes: Route[] = serve(sessionEndpoints, {
  async csrfCookie(ctx) {
    if (!ctx.session) await startSession(ctx, null, null);
  },
  async me(ctx) {
    return { data: await currentUserOf(ctx) };
  },
  login: (ctx, { body }) => signIn(ctx, body),
  logout: (ctx) => signOut(ctx),
  register: (ctx, { body }) => register(ctx, body),
  forgotPassword: (ctx, { body }) => forgotPassword(ctx, body),
  async readPasswordReset(ctx, { params }) {
    return { data: await readPasswordReset(ctx, params.token) };
  },
  resetPassword: (ctx, { body }) => resetPassword(ctx, body),
  verifyEmail: (ctx, { body }) => verifyEmail(ctx, body),
  resendVerification: (ctx, { body }) => resendVerification(ctx, body),
  async staffInvite(ctx, { params }) {
    return { data: await readInvite(ctx, params.token) };
  },
  registerStaff: (ctx, { body }) => registerStaff(ctx, body),
  changePassword: (ctx, { params, body }) => changePassword(ctx, params.id, body),
});
