/** Error page, boundary and 401 page: states S44-S48, R45, constant C17, messages M1-M3, M30-M32, gap G44. */
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ERROR_RELOAD_DELAY, ErrorBoundary, ErrorFallback } from './error-fallback.tsx';
import { staged } from '../stage.tsx';
import { Unauthorized } from './unauthorized.tsx';

afterEach(() => { vi.useRealTimers(); vi.restoreAllMocks(); });

async function errorPage() {
  const goBack = vi.fn();
  const reload = vi.fn();
  const screen = await staged(<ErrorFallback goBack={goBack} reload={reload} />);
  return { goBack, reload, screen };
}

test('[S46] [M1] [M2] [M3] logo, heading, text and Go Back', async () => {
  const { screen } = await errorPage();
  await expect.element(page.getByRole('heading', { name: 'Something went wrong.', level: 1 })).toBeVisible();
  await expect.element(page.getByText('Please try reloading the page, or go back to the previous page.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Go Back' })).toBeVisible();
  await expect.element(page.getByText('Grand Rights')).toBeVisible();
  expect(screen.container.querySelector('svg')).not.toBeNull();
});

test('[S47] [C17] Go Back goes one step back, then reloads after 120 ms', async () => {
  const { goBack, reload } = await errorPage();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  (page.getByRole('button', { name: 'Go Back' }).element() as HTMLElement).click();
  expect(goBack).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(ERROR_RELOAD_DELAY - 1);
  expect(reload).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reload).toHaveBeenCalledOnce();
  expect(ERROR_RELOAD_DELAY).toBe(120);
});

test('[S47] by default Go Back uses the history of the browser', async () => {
  const back = vi.spyOn(window.history, 'back').mockImplementation(() => {});
  await staged(<ErrorFallback reload={() => {}} />);
  await page.getByRole('button', { name: 'Go Back' }).click();
  expect(back).toHaveBeenCalledOnce();
});

test('[S48] by default it is the page in the browser that reloads', async () => {
  const reloads: string[] = [];
  // Stopped before it begins: this page is the test.
  const stop = (event: NavigateEvent) => {
    if (event.navigationType !== 'reload') return;
    reloads.push(event.destination.url);
    event.preventDefault();
  };
  window.navigation.addEventListener('navigate', stop);
  await staged(<ErrorFallback />);
  window.dispatchEvent(new PopStateEvent('popstate'));
  window.navigation.removeEventListener('navigate', stop);
  expect(reloads).toEqual([window.location.href]);
});

test('[S48] a back or forward event of the browser reloads at once, without Go Back', async () => {
  const { reload, screen } = await errorPage();
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(reload).toHaveBeenCalledOnce();
  await screen.unmount();
  const gone = await errorPage();
  await gone.screen.unmount();
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(gone.reload).not.toHaveBeenCalled();
});

test('[S48] a back or forward event reloads; never twice', async () => {
  const { reload } = await errorPage();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  (page.getByRole('button', { name: 'Go Back' }).element() as HTMLElement).click();
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(reload).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(ERROR_RELOAD_DELAY * 2);
  expect(reload).toHaveBeenCalledOnce();
});

function Broken(): never {
  throw new Error('a page failed');
}

test('[S44] a child that renders shows', async () => {
  await staged(<ErrorBoundary><p>All well</p></ErrorBoundary>);
  await expect.element(page.getByText('All well')).toBeVisible();
});

test('[S45] a render failure shows the error page and is reported', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const onError = vi.fn();
  await staged(<ErrorBoundary onError={onError}><Broken /></ErrorBoundary>);
  await expect.element(page.getByRole('heading', { name: 'Something went wrong.' })).toBeVisible();
  expect(onError).toHaveBeenCalledOnce();
});

test('[R45] [M30] [M31] [M32] the 401 page, its way to the admin home, and the user menu', async () => {
  await staged(<Unauthorized userMenu={<button type="button">Sign out</button>} />);
  await expect.element(page.getByRole('heading', { name: '401 - Unauthorized' })).toBeVisible();
  await expect.element(page.getByText('You do not have permission to view this page')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Back to Overview' })).toHaveAttribute('href', '/admin');
  await expect.element(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
});
