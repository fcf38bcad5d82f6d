/** The permission wrapper at work: rules R43, R44, R46, R47, gaps G79, G80. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staff } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import type { PageRow } from '#kit/page.ts';
import { identityPages } from '#modules/identity/identity.pages.ts';
import { publicPages } from '#modules/identity/public.pages.ts';
import SignIn from '#modules/identity/session/sign-in.web.tsx';
import type { Person } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { Screen } from './page-table.ts';
import { meAnswer, openPages, personOf } from './router-stage.tsx';

const screen = (title: string) => () => Promise.resolve({ default: (() => <h1>{title}</h1>) as Screen });
const PAGES: readonly PageRow<Screen>[] = [
  { path: '/login', area: 'public', permission: null, title: 'Sign in',
    load: () => Promise.resolve({ default: SignIn }) },
  { path: '/admin', area: 'staff', permission: null, title: 'Home', load: screen('Home') },
  { path: '/admin/venues', area: 'staff', permission: 'venue.list', title: 'Venues', load: screen('All venues') },
];

const LIST = endpoint({ method: 'GET', path: '/api/admin/staff/venues', auth: staff('venue.list'),
  summary: 'All venues', response: null });

let signedIn: Person | null = null;
beforeEach(() => {
  signedIn = null;
  window.sessionStorage.clear();
  vi.stubGlobal('fetch', (url: string) => {
    if (url === '/api/users/me') return Promise.resolve(meAnswer(signedIn));
    if (url === '/api/auth/login') {
      signedIn = personOf('staff_user', ['venue.list']);
      return Promise.resolve(Response.json({ two_factor: false }));
    }
    return Promise.resolve(new Response(null, { status: 204 }));
  });
});
afterEach(() => { vi.unstubAllGlobals(); });

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
async function signIn() {
  await userEvent.fill(page.getByRole('textbox', { name: 'Email' }), 'ada@house.example');
  await userEvent.fill(page.getByLabelText(/^Password/), 'the ghost light stays on');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('[R43] [R44] whoever is not signed in signs in first and is then where they wanted to go', async () => {
  const router = await openPages(PAGES, '/admin/venues?search=savoy');
  await expect.element(heading('Welcome back')).toBeVisible();
  expect(router.history.location.pathname).toBe('/login');
  await signIn();
  await expect.element(heading('All venues')).toBeVisible();
  expect(router.history.location.href).toBe('/admin/venues?search=savoy');
});

/** The pages with a list of venues that reads from the server, which answers so. */
function readingPages(answer: () => Response): readonly PageRow<Screen>[] {
  const others = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string) => url === LIST.path ? Promise.resolve(answer()) : others(url));
  const Reading: Screen = () => <><h1>All venues</h1><p>{useEndpoint(LIST, {}).error?.message}</p></>;
  return [...PAGES.slice(0, 2), { ...PAGES[2]!, load: () => Promise.resolve({ default: Reading }) }];
}

test('a session that ended elsewhere leads to the sign-in with the next refusal, and back again', async () => {
  signedIn = personOf('staff_user', ['venue.list']);
  const pages = readingPages(() => meAnswer(signedIn));
  const router = await openPages(pages, '/admin');
  await expect.element(heading('Home')).toBeVisible();
  signedIn = null;
  router.history.push('/admin/venues?search=savoy');
  await expect.element(heading('Welcome back')).toBeVisible();
  await signIn();
  await expect.element(heading('All venues')).toBeVisible();
  expect(router.history.location.href).toBe('/admin/venues?search=savoy');
});

test('rights that were taken away show the 401 screen in place with the next refusal', async () => {
  signedIn = personOf('staff_user', ['venue.list']);
  const pages = readingPages(() => Response.json({ message: 'This action is unauthorized.', code: 'forbidden' },
    { status: 403 }));
  const router = await openPages(pages, '/admin');
  await expect.element(heading('Home')).toBeVisible();
  signedIn = personOf('staff_user', []);
  router.history.push('/admin/venues');
  await expect.element(heading('401 - Unauthorized')).toBeVisible();
  expect(router.history.location.href).toBe('/admin/venues');
});

test('a remembered place is followed once; without one the person is at home', async () => {
  const router = await openPages(PAGES, '/login');
  await expect.element(heading('Welcome back')).toBeVisible();
  await signIn();
  await expect.element(heading('Home')).toBeVisible();
  expect(router.history.location.href).toBe('/admin');
});

test('[S118] / is the sign-in page', async () => {
  const router = await openPages(publicPages, '/');
  await expect.element(heading('Welcome back')).toBeVisible();
  expect(router.history.location.pathname).toBe('/login');
});

test('signing in loads the other pages, and only then', async () => {
  const loadAll = vi.fn(() => Promise.resolve(PAGES));
  const router = await openPages(publicPages, '/login', loadAll);
  await expect.element(heading('Welcome back')).toBeVisible();
  expect(loadAll).not.toHaveBeenCalled();
  await signIn();
  await expect.element(heading('Home')).toBeVisible();
  expect(router.history.location.href).toBe('/admin');
  router.history.push('/admin/venues');
  await expect.element(heading('All venues')).toBeVisible();
  expect(loadAll).toHaveBeenCalledTimes(1);
});

test('an address of the whole table keeps its query, one of no table is told so', async () => {
  signedIn = personOf('staff_user', ['venue.list']);
  const router = await openPages(publicPages, '/admin/venues?search=savoy', () => Promise.resolve(PAGES));
  await expect.element(heading('All venues')).toBeVisible();
  expect(router.history.location.href).toBe('/admin/venues?search=savoy');
  router.history.push('/nowhere');
  await vi.waitFor(() => expect(document.title).toContain('Page not found'));
});

test('a slow line shows that the pages are loading, never an error page', async () => {
  signedIn = personOf('staff_user', ['venue.list']);
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  let arrive: (pages: typeof PAGES) => void = () => {};
  const line = new Promise<typeof PAGES>((resolve) => { arrive = resolve; });
  await openPages(publicPages, '/admin/venues', () => line);
  await expect.element(page.getByText('Loading')).toBeInTheDocument();
  arrive(PAGES);
  await expect.element(heading('All venues')).toBeVisible();
  expect(told.mock.calls.flat().filter((one) => one instanceof Error)).toEqual([]);
  told.mockRestore();
});

test('whoever follows a link without a session signs in first and is then there', async () => {
  await openPages(publicPages, '/admin/venues', () => Promise.resolve(PAGES));
  await expect.element(heading('Welcome back')).toBeVisible();
  await signIn();
  await expect.element(heading('All venues')).toBeVisible();
});

test('[S116] a system_admin finds the portal chooser at /select', async () => {
  signedIn = personOf('system_admin');
  await openPages(identityPages, '/select');
  await expect.element(heading('Choose a workspace')).toBeVisible();
  await expect.element(page.getByRole('link', { name: /Staff office/ })).toHaveAttribute('href', '/admin');
});

test('[S117] a customer selects a portal at /select-portal', async () => {
  signedIn = personOf('customer');
  await openPages(identityPages, '/select-portal');
  await expect.element(page.getByRole('link', { name: /Astoria Players/ })).toHaveAttribute('href', '/customer/7');
  expect(page.getByRole('link', { name: /Staff office/ }).elements()).toHaveLength(0);
});

test('[S117] a system_admin looks for the customer to act for at /select-portal, or goes to the office', async () => {
  signedIn = personOf('system_admin');
  await openPages(identityPages, '/select-portal');
  await expect.element(page.getByRole('textbox', { name: 'Find a customer' })).toBeVisible();
  expect(page.getByRole('link', { name: /Staff office/ }).elements()).toHaveLength(1);
});

test.each(['vendor', 'customer'] as const)('[R45] a %s sees the 401 screen in place, without the office around it',
  async (role) => {
    signedIn = personOf(role);
    const router = await openPages(PAGES, '/admin/venues');
    await expect.element(heading('401 - Unauthorized')).toBeVisible();
    await expect.element(page.getByText('You do not have permission to view this page')).toBeVisible();
    expect(page.getByRole('navigation', { name: 'Main' }).elements()).toHaveLength(0);
    expect(router.history.location.href).toBe('/admin/venues');
    await page.getByRole('link', { name: 'Back to Overview' }).click();
    await expect.poll(() => router.history.location.href).toBe('/admin');
    await expect.element(heading('401 - Unauthorized')).toBeVisible();
  });

test('[R46] a staff_user without the permission sees the 401 screen in place', async () => {
  signedIn = personOf('staff_user', ['venue.show']);
  const router = await openPages(PAGES, '/admin/venues');
  await expect.element(heading('401 - Unauthorized')).toBeVisible();
  await expect.element(page.getByText('You do not have permission to view this page')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Back to Overview' })).toHaveAttribute('href', '/admin');
  expect(router.history.location.href).toBe('/admin/venues');
});

test('[R47] a staff_user whose group holds the permission sees the page', async () => {
  signedIn = personOf('staff_user', ['venue.list']);
  await openPages(PAGES, '/admin/venues');
  await expect.element(heading('All venues')).toBeVisible();
});
