/** Signing in and out, passwords, verification: paths of spec/api.json, bodies and texts of reliability.md 1.3. */
import * as z from 'zod';
import { open, signedIn, signedInUnverified } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { nameLine } from '#kit/field.ts';
import { CUSTOMER_KINDS } from '#modules/customers/customer/customer.contract.ts';
import { isCountry } from '#modules/reference/places/place.contract.ts';
import { LANGUAGES } from '#kernel/money/division.ts';
import { spell } from '#kernel/text/english.ts';
import { FACTORS } from '../two-factor/two-factor.contract.ts';

const email = z.email('Email must be a valid email address').max(254);
const password = z.string().min(1, 'Password is required').max(256, 'Use at most 256 characters');
const message = z.object({ message: z.string() });
/** A title of the public catalog that a newcomer applies for; nothing else is followed from a mail. */
const next = z.string().regex(/^\/apply\/[A-Z0-9][A-Z0-9-]{0,23}(\?country=[A-Z]{2})?$/).optional();
const newPassword = { password,
  password_confirmation: z.string().min(1, 'Type the password again').max(256, 'Use at most 256 characters') };

/** SPEC.md section 3 User, with the rights that the screens gate on. */
export const currentUser = z.object({
  id: z.int(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(['customer', 'staff_admin', 'staff_user', 'system_admin', 'vendor']),
  roles: z.array(z.string()),
  system_admin: z.boolean(),
  user_type: z.enum(['STAFF_USER', 'STAFF_ADMIN', 'SYSTEM']).nullable(),
  email_verified_at: z.string().nullable(),
  /** The house demands a second factor: nothing else is open until it is set up. */
  must_set_up_two_factor: z.boolean(),
  avatar_file_name: z.string().nullable(),
  avatar_url: z.url({ protocol: /^https?$/ }).optional(),
  staff_group: z.object({ id: z.int(), name: z.string(), permission_values: z.array(z.string()) }).optional(),
  permission_values: z.array(z.string()),
  customers: z.array(z.object({ id: z.int(), name: z.string(), role: z.string(), status: z.string(),
    /** Its admin has not been asked yet for addresses and tax facts. */
    asks_details: z.boolean().optional(),
    /** English of the customer's division. */
    language: z.enum(LANGUAGES) })),
  /** English that the person chose for screens; null: that of the customer, American for staff. */
  language: z.enum(LANGUAGES).nullable(),
  phone: z.string().nullable(),
  /** First page of a staff member after signing in, as long as they may open it. */
  start_page: z.string().nullable(),
  /** A new address that waits for its own mailbox. */
  pending_email: z.string().nullable(),
  version: z.int(),
  acting_customer: z.object({ id: z.int(), name: z.string(), until: z.string() }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type CurrentUser = z.infer<typeof currentUser>;

export const sessionEndpoints = {
  csrfCookie: endpoint({ method: 'GET', path: '/sanctum/csrf-cookie', auth: open,
    summary: 'Set the CSRF cookie', response: null }),
  me: endpoint({ method: 'GET', path: '/api/users/me', auth: signedInUnverified, summary: 'The signed-in person',
    response: one(currentUser) }),
  login: endpoint({ method: 'POST', path: '/api/auth/login', auth: open, secret: true, summary: 'Sign in',
    body: z.strictObject({ email, password }),
    response: z.object({ two_factor: z.boolean(),
      /** The ways to take the second step, where there is one. */
      methods: z.array(z.enum(FACTORS)).optional() }) }),
  logout: endpoint({ method: 'POST', path: '/api/auth/logout', auth: open, summary: 'Sign out', response: null }),
  register: endpoint({ method: 'POST', path: '/api/auth/register', auth: open, secret: true,
    summary: 'Ask for an account',
    body: z.strictObject({ first_name: nameLine('First name'), last_name: nameLine('Last name'),
      organisation: nameLine(spell`Organization`), email, ...newPassword, next,
      kind: z.enum(CUSTOMER_KINDS, 'Choose a kind').optional(),
      country: z.string('Choose a country').refine(isCountry, 'Choose a country').optional(),
      phone: z.string().trim().min(1, 'Phone is required').max(40, 'A phone number has at most 40 characters')
        .optional() }), response: message, status: 202 }),
  forgotPassword: endpoint({ method: 'POST', path: '/api/auth/forgot-password', auth: open,
    summary: 'Ask for a reset link', body: z.strictObject({ email }), response: message }),
  /** 404 for a link that was used, is older than an hour or never was: nothing that tells them apart. */
  readPasswordReset: endpoint({ method: 'GET', path: '/api/auth/password-resets/{token}', auth: open,
    summary: 'Whether a link to choose a new password still works',
    params: z.object({ token: z.string().min(1).max(100) }), response: one(z.object({ expires_at: z.string() })) }),
  resetPassword: endpoint({ method: 'POST', path: '/api/auth/reset-password', auth: open, secret: true,
    summary: 'Choose a new password with the link', response: message,
    body: z.strictObject({ token: z.string().min(1).max(100), email, ...newPassword }) }),
  verifyEmail: endpoint({ method: 'POST', path: '/api/auth/email/verify', auth: open,
    summary: 'Verify an email address', body: z.strictObject({ token: z.string().min(1).max(100) }), response: null }),
  resendVerification: endpoint({ method: 'POST', path: '/api/auth/email/resend', auth: open,
    summary: 'Send the verification link again', body: z.strictObject({ email, next }), response: message,
    status: 202 }),
  staffInvite: endpoint({ method: 'GET', path: '/api/auth/staff-invites/{token}', auth: open,
    summary: 'An invitation to join the staff', params: z.object({ token: z.string().min(1).max(100) }),
    response: one(z.object({ email: z.string().nullable(), role: z.string() })) }),
  registerStaff: endpoint({ method: 'POST', path: '/api/auth/register-staff', auth: open, secret: true, status: 201,
    summary: 'Accept an invitation to the staff', response: message,
    body: z.strictObject({ token: z.string().min(1).max(100), first_name: nameLine('First name'),
      last_name: nameLine('Last name'), email: email.optional(), ...newPassword }) }),
  changePassword: endpoint({ method: 'PUT', path: '/api/users/{id}/change-password', auth: signedIn, secret: true,
    summary: 'Change the own password', response: message,
    body: z.strictObject({ current_password: password, ...newPassword }) }),
};
