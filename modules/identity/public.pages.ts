/** Pages that open without a session. They are all that the sign-in page loads of the page table. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const account = () => import('./session/account.web.tsx');
const reset = () => import('./session/password-reset.web.tsx');
const verify = () => import('./session/verify-email.web.tsx');

export const publicPages = pages<ComponentType>([
  { path: '/', area: 'public', permission: null, title: 'Grand Rights', redirectTo: '/login' },
  { path: '/login', area: 'public', permission: null, title: 'Sign in',
    load: () => import('./session/sign-in.web.tsx') },
  { path: '/register', area: 'public', permission: null, title: 'Ask for an account',
    load: () => account().then((file) => ({ default: file.Register })) },
  { path: '/forgot-password', area: 'public', permission: null, title: 'Forgot password',
    load: () => reset().then((file) => ({ default: file.ForgotPassword })) },
  { path: '/password-reset/:token', area: 'public', permission: null, title: 'Choose a new password',
    load: () => reset().then((file) => ({ default: file.ResetPassword })) },
  { path: '/verify-email/:token', area: 'public', permission: null, title: 'Verify your address',
    load: () => verify().then((file) => ({ default: file.VerifyEmail })) },
  { path: '/verify-email', area: 'public', permission: null, title: 'Verify your address',
    load: () => verify().then((file) => ({ default: file.VerifyNotice })) },
  { path: '/join/:token', area: 'public', permission: null, title: 'Accept an invitation',
    load: () => import('#modules/customers/people/join.web.tsx') },
  { path: '/register-staff/create/:token', area: 'public', permission: null, title: 'Join the staff',
    load: () => account().then((file) => ({ default: file.RegisterStaff })) },
]);
