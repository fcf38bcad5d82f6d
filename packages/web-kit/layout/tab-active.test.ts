import { describe, expect, it } from 'vitest';
import { isTabActive } from './tab-active.ts';

describe('which tab is active', () => {
  it.each([
    ['/admin/quotes/12', '/admin/quotes/12', true],
    ['/admin/accounts-payable/invoices', '/admin/accounts-payable/invoices/7', true],
    ['/admin/accounts-payable/invoices', '/admin/accounts-payable/payments', false],
    ['/admin/staff', '/admin/staff', true],
    ['/admin/staff', '/admin/staff/groups', false],
  ])('[S85][C14] admin: %s on %s shares three segments: %s', (href, path, active) => {
    expect(isTabActive('admin', href, path)).toBe(active);
  });

  it.each([
    ['/admin/customers/5/activity', '/admin/customers/5/activity', true],
    ['/admin/customers/5/activity', '/admin/customers/5/users', false],
    ['/admin/customers/5/users', '/admin/customers/5/users/9', true],
    ['/admin/customers/5/productions/9/terms', '/admin/customers/5/productions/9/terms', true],
    ['/admin/customers/5/productions/9/terms', '/admin/customers/5/productions/9/venues', false],
    ['/admin/customers/5/productions/9/documents', '/admin/customers/5/productions/9/documents/3', true],
    ['/admin/customers/5/information', '/admin/customers/5/applications/9/information', true],
  ])('[S86][C14] admin, deeper: %s on %s by four segments or the last one: %s', (href, path, active) => {
    expect(isTabActive('admin', href, path)).toBe(active);
  });

  it.each([
    ['customer', '/customer/7/shows', '/customer/7/shows', true],
    ['customer', '/customer/7/shows', '/customer/7/shows/apply/3', false],
    ['accounts', '/accounts/7/books', '/accounts/7/books', true],
    ['accounts', '/accounts/7/books', '/accounts/7/books/1', false],
  ])('[S87][C15] %s: a link of three segments, %s on %s, matches exactly: %s', (area, href, path, active) => {
    expect(isTabActive(area, href, path)).toBe(active);
  });

  it.each([
    ['customer', '/customer/7/account/profile', '/customer/7/account/profile', true],
    ['customer', '/customer/7/account/profile', '/customer/7/account/profile/photo', true],
    ['accounts', '/accounts/7', '/accounts/7/books/1', true],
    ['customer', '/customer/7/account/profile', '/customer/7/account/notification', false],
  ])('[S88] %s: another link, %s on %s, needs to be contained: %s', (area, href, path, active) => {
    expect(isTabActive(area, href, path)).toBe(active);
  });
});
