import * as z from 'zod';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ROLES, staff } from './auth.ts';
import { endpoint, one, type BodyOf, type ParamsOf, type ResponseOf } from './endpoint.ts';
import { address, currencyCode, DIVISION_LABELS, DIVISIONS, field, id, isoDate, minor, positiveMinor }
  from './field.ts';
import { decide, homeOf, safeLocation, type PageRow, type Visitor } from './page.ts';
import { PERMISSIONS, PLACEHOLDER_PERMISSION, grants, isPermission } from './permission.ts';
import { invalid } from './errors.ts';
import './plain-errors.ts';

const close = endpoint({
  method: 'PUT', path: '/api/admin/staff/warehouses/{id}/close', auth: staff('warehouse.update'),
  summary: 'Close', body: z.strictObject({ move_stock_to: z.int() }), response: one(z.object({ id: z.int() })),
});

describe('endpoint types', () => {
  it('derives params, body and response from the declaration', () => {
    expectTypeOf<ParamsOf<typeof close>>().toEqualTypeOf<{ id: number }>();
    expectTypeOf<BodyOf<typeof close>>().toEqualTypeOf<{ move_stock_to: number }>();
    expectTypeOf<ResponseOf<typeof close>>().toEqualTypeOf<{ data: { id: number } }>();
    expect(close.path).toContain('{id}');
  });
});

describe('permissions', () => {
  it('offers 210 values, never the placeholder', () => {
    expect(PERMISSIONS).toHaveLength(210);
    expect(new Set(PERMISSIONS).size).toBe(210);
    expect(isPermission('REPLACE')).toBe(false);
    expect(isPermission('invoice.forceDelete')).toBe(true);
  });
  it('[R79] each value is resource.action, or the bare super', () => {
    for (const value of PERMISSIONS.filter((one) => one !== 'super')) {
      expect(value).toMatch(/^[a-z_]+\.[a-zA-Z_]+$/);
      expect(isPermission(value.replace('.', ' '))).toBe(false);
    }
    expect(isPermission('super')).toBe(true);
  });
  it('[R81] the placeholder grants nothing', () => {
    for (const value of PERMISSIONS) expect(grants(new Set([PLACEHOLDER_PERMISSION]), value), value).toBe(false);
  });
  it('super passes every requirement, a list means any of them', () => {
    expect(grants(new Set(['super']), 'invoice.view')).toBe(true);
    expect(grants(new Set(['show.list']), ['play.list', 'show.list'])).toBe(true);
    expect(grants(new Set(['show.list']), 'show.show')).toBe(false);
    expect(grants(new Set(), null)).toBe(true);
  });
});

describe('closed lists', () => {
  it('[R31] [C1] a person is customer, staff_admin, staff_user, system_admin or vendor', () => {
    expect(ROLES).toEqual(['customer', 'staff_admin', 'staff_user', 'system_admin', 'vendor']);
  });
  it('[R32] [C2] money is in USD, EUR or GBP; divisions are US, EU, UK, PROD', () => {
    expect(currencyCode.options).toEqual(['USD', 'EUR', 'GBP']);
    expect(DIVISIONS).toEqual(['US', 'EU', 'UK', 'PROD']);
    expect(DIVISION_LABELS.PROD).toBe('Production');
    expect(currencyCode.safeParse('CHF').success).toBe(false);
  });
});

describe('addresses', () => {
  const house = { country_code: 'US', thoroughfare: '1 Main St', locality: 'Keene', administrative_area: 'NH',
    postal_code: '03431' };
  it('[R7] country_code and administrative_area must be strings', () => {
    expect(address.safeParse(house).success).toBe(true);
    expect(address.safeParse({ ...house, administrative_area: '' }).success).toBe(true);
    for (const field of ['country_code', 'administrative_area'] as const) {
      for (const wrong of [1, null, undefined, ['US']]) {
        expect(address.safeParse({ ...house, [field]: wrong }).success, `${field} ${String(wrong)}`).toBe(false);
      }
    }
  });
});

describe('what is required of an address', () => {
  const full = { country_code: 'US', thoroughfare: '1 Main St', locality: 'Keene', administrative_area: 'NH',
    postal_code: '03431' };
  it.each([['thoroughfare', 'Address 1 is required'], ['locality', 'City is required'],
    ['postal_code', 'Postal code is required']])('[R3] [R4] [R5] [R8] %s: %s', (field, message) => {
    for (const none of ['', '  ']) {
      const { error } = address.safeParse({ ...full, [field]: none });
      expect(error?.issues.map((issue) => [issue.path, issue.message])).toEqual([[[field], message]]);
    }
    for (const wrong of [1, null, ['a']]) expect(address.safeParse({ ...full, [field]: wrong }).success).toBe(false);
  });
  it('[R6] address 2 may be absent', () => {
    for (const premise of [undefined, '', 'Suite 4']) {
      expect(address.safeParse({ ...full, premise }).success, premise).toBe(true);
    }
    expect(address.safeParse(full).success).toBe(true);
    expect(address.safeParse({ ...full, premise: 4 }).success).toBe(false);
  });
});

describe('dates', () => {
  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '26-01-01', '2026-04-31'])('refuses %s', (text) => {
    expect(isoDate.safeParse(text).success).toBe(false);
  });
  it.each(['2024-02-29', '2026-12-31'])('accepts %s', (text) => {
    expect(isoDate.safeParse(text).success).toBe(true);
  });

  it('an empty date is asked for in the words of a form, a wrong one in those of the wire', () => {
    const told = (text: string) => isoDate.safeParse(text).error?.issues[0]?.message;
    expect([told(''), told('2026-02-30')]).toEqual(['Enter a date', 'Enter a date that exists, as YYYY-MM-DD']);
  });
});

describe('page guard', () => {
  const page = (row: Partial<PageRow>): PageRow =>
    ({ path: '/admin/venues', area: 'staff', permission: 'venue.list', title: 'Venues', ...row });
  const visitor = (role: Visitor['role'], permissions: string[] = [], customer_ids: number[] = []): Visitor =>
    ({ role, permissions: new Set(permissions), customer_ids });

  it('sends a visitor who is not signed in to login and remembers the place', () => {
    expect(decide(page({}), null)).toEqual({ kind: 'redirect', to: '/login', remember: true });
  });
  it('refuses vendors and customers on staff pages in place', () => {
    expect(decide(page({}), visitor('vendor')).kind).toBe('unauthorized');
    expect(decide(page({}), visitor('customer', [], [1])).kind).toBe('unauthorized');
  });
  it('a staff_user needs the permission, other staff roles pass', () => {
    expect(decide(page({}), visitor('staff_user')).kind).toBe('unauthorized');
    expect(decide(page({}), visitor('staff_user', ['venue.list'])).kind).toBe('allow');
    expect(decide(page({}), visitor('staff_admin')).kind).toBe('allow');
  });
  it('a customer opens only the own customer', () => {
    const portal = page({ path: '/customer/:customerId/shows', area: 'customer', permission: null });
    expect(decide(portal, visitor('customer', [], [7]), { customerId: '7' }).kind).toBe('allow');
    expect(decide(portal, visitor('customer', [], [7]), { customerId: '8' }).kind).toBe('unauthorized');
  });
  it('lands everyone at home', () => {
    expect(homeOf(visitor('system_admin'))).toBe('/select');
    expect(homeOf(visitor('customer', [], [3]))).toBe('/customer/3');
    expect(homeOf(visitor('customer', [], [3, 4]))).toBe('/select-portal');
  });
  it.each(['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', '', null])(
    'does not follow %s', (text) => expect(safeLocation(text, 'http://localhost:3000')).toBeNull());
  it('follows a path of its own', () => {
    expect(safeLocation('/admin/quotes?page=2', 'http://localhost:3000')).toBe('/admin/quotes?page=2');
  });
});

describe('validation refusals', () => {
  it('say what to enter, in words of people, and keep the text of a schema', () => {
    const schema = z.object({ whole: z.int(), number: z.number(), text: z.string().max(3),
      list: z.array(z.int()).max(1), mail: z.email(), choice: z.enum(['x', 'y']), seats: z.int().min(0),
      size: z.int().max(9), own: z.int('Own words'),
      missing: z.string(), short: z.string().min(1) });
    const issues = schema.safeParse({ whole: 1.5, number: 'x', text: 'long', list: [1, 2], mail: 'nobody', choice: 'z',
      seats: -1, size: 10, own: 'x', short: '' }).error!.issues;
    expect(Object.fromEntries(issues.map((issue) => [issue.path.join('.'), issue.message]))).toEqual({
      whole: 'Enter a whole number', number: 'Enter a number', text: 'At most 3 characters', list: 'At most 1 entry',
      mail: 'Enter a valid email address', choice: 'Choose one of x, y', seats: 'This cannot be negative',
      size: 'At most 9', own: 'Own words', missing: 'This is required', short: 'This is required' });
  });

  it('of a record that is not chosen ask to choose it, never for its number', () => {
    const schema = z.object({ show_royaltor_id: id, license_venue_id: id, add_on_id: id, show_id: id, venue_id: id,
      statement_ids: z.array(id), customer_id: z.coerce.number(), royaltor_id: field.ref('Royaltor', '/r').schema,
      on: isoDate, seats: z.int(), choice: z.enum(['x', 'y']), fee: minor, price: positiveMinor, tip: minor });
    const { issues } = schema.safeParse({ fee: null, price: '', tip: 1.5, show_royaltor_id: null, license_venue_id: 0,
      add_on_id: '', venue_id: 1.5, statement_ids: [1, 'x'], customer_id: 'abc', royaltor_id: null, on: null,
      seats: null, choice: null }).error!;
    expect(Object.fromEntries(issues.map((issue) => [issue.path.join('.'), issue.message]))).toEqual({
      show_royaltor_id: 'Choose an agreement', license_venue_id: 'Choose a venue', add_on_id: 'Choose an add-on',
      show_id: 'Choose a show', venue_id: 'Choose a venue', 'statement_ids.1': 'Choose a statement',
      customer_id: 'Choose a customer', royaltor_id: 'Royaltor is required', on: 'This is required',
      seats: 'This is required', choice: 'This is required', fee: 'Enter an amount',
      price: 'Enter an amount with at most two decimals', tip: 'Enter an amount with at most two decimals' });
  });

  it('says the first message and counts the rest', () => {
    expect(invalid({ a: ['A is required'], b: ['B is required'] }).message).toBe('A is required (and 1 more error)');
  });
});
