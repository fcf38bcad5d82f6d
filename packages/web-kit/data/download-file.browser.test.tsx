import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { downloadFile } from './download-file.ts';
import { Toasts } from './toast.tsx';

afterEach(() => { vi.restoreAllMocks(); vi.unstubAllGlobals(); });

test('a refusal is said in its own words and nothing is saved; an answer is kept under its name', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await staged(<Toasts />);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ code: 'fx.no_rate',
    message: 'The ECB rate of USD on June 30, 2026 is missing.' }), { status: 409 })));
  await downloadFile('/api/file');
  await expect.element(page.getByText('The ECB rate of USD on June 30, 2026 is missing.')).toBeInTheDocument();
  expect(saved).toEqual([]);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('a,b', { headers: { 'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="oss-2026-q2.csv"' } })));
  await downloadFile('/api/file');
  expect(saved).toEqual(['oss-2026-q2.csv']);
});
