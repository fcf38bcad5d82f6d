import { afterEach, expect, it, vi } from 'vitest';
import { downloadFile } from './download-file.ts';
import * as csv from './csv-file.ts';
import * as toasts from './toast.tsx';

afterEach(() => { vi.restoreAllMocks(); });

it('says a refusal in its own words and saves nothing; an answer is kept under its name', async () => {
  const saved = vi.spyOn(csv, 'saveFile').mockImplementation(() => undefined);
  const said = vi.spyOn(toasts, 'toast').mockImplementation(() => 1);
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(JSON.stringify({ code: 'fx.no_rate',
    message: 'The ECB rate of USD on June 30, 2026 is missing.' }), { status: 409 }));
  await downloadFile('/api/file');
  expect(said).toHaveBeenCalledWith('The ECB rate of USD on June 30, 2026 is missing.', { tone: 'error' });
  expect(saved).not.toHaveBeenCalled();
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('a,b', { headers: { 'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="oss-2026-q2.csv"' } }));
  await downloadFile('/api/file');
  expect(saved.mock.calls[0]![0]).toBe('oss-2026-q2.csv');
});
