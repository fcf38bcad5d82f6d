/** The desk of the hand scanner: every code is taken or told why not, in its order, and can be taken back. */
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { ScanLines, type ScannedLine } from './movement/scan-lines.web.tsx';
import { ScanField, type ScanFieldProps } from './scan-field.web.tsx';

afterEach(() => { vi.unstubAllGlobals(); });

const input = () => page.getByLabelText('Scan or type a code, then Enter');
const last = () => page.getByRole('status');
const notTaken = () => page.getByRole('alert');

/** As the scanner does it: the code, then Enter. */
async function scan(...codes: string[]): Promise<void> {
  for (const code of codes) await userEvent.type(input(), `${code}{Enter}`);
}

/** A warehouse that knows the libretto by its number and one labelled copy of the score. */
function Desk({ onSubmit = () => {} }: { onSubmit?: () => void }) {
  const [lines, setLines] = useState<ScannedLine[]>([]);
  return (
    <ThemeProvider>
      <form onSubmit={(event) => { event.preventDefault(); onSubmit(); }}>
        <ScanLines lines={lines} onChange={setLines} errors={{}} quantityLabel="Quantity" />
        <button type="submit">Book</button>
      </form>
      <p data-testid="lines">{lines.map((line) => `${line.code} ${line.quantity}`).join(', ')}</p>
    </ThemeProvider>
  );
}

function warehouse(): void {
  const items: Record<string, object> = {
    'LIB-01': { name: 'Libretto', copy: null }, 'SCORE-007': { name: 'Score', copy: { location: 'on_hand' } } };
  vi.stubGlobal('fetch', (url: string) => {
    const code = new URL(url, location.href).searchParams.get('code') ?? '';
    const data = items[code];
    return Promise.resolve(data ? Response.json({ data })
      : Response.json({ message: `Nothing has the code ${code}.`, code: 'not_found' }, { status: 404 }));
  });
}

test('a scan is taken in capital letters and stands large below; the same item again counts one more', async () => {
  warehouse();
  const submit = vi.fn();
  await render(<Desk onSubmit={submit} />);
  await expect.element(last()).toHaveTextContent('Scanned items appear here.');
  await scan('lib-01');
  await expect.element(last()).toHaveTextContent('LibrettoLIB-01, 1 so far');
  await expect.element(input()).toHaveValue('');
  await scan(' LIB-01 ', 'LIB-01');
  await expect.element(last()).toHaveTextContent('LibrettoLIB-01, 3 so far');
  await expect.element(page.getByTestId('lines')).toHaveTextContent('LIB-01 3');
  // Enter ends a scan and sends no form, with nothing typed neither.
  await userEvent.type(input(), '{Enter}');
  expect(submit).not.toHaveBeenCalled();
});

test('the last scans are taken back one after the other, and the scanner types on', async () => {
  warehouse();
  await render(<Desk />);
  await scan('LIB-01', 'LIB-01', 'SCORE-007');
  await expect.element(last()).toHaveTextContent('ScoreSCORE-007');
  await page.getByRole('button', { name: 'Undo the last scan, Score' }).click();
  await expect.element(input()).toHaveFocus();
  await expect.element(page.getByTestId('lines')).toHaveTextContent('LIB-01 2');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByTestId('lines')).toHaveTextContent('LIB-01 1');
  await expect.element(last()).toHaveTextContent('LibrettoLIB-01, 1 so far');
  // Undo applies to the typed text first: the key means the text, not the scan.
  await userEvent.type(input(), 'X');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByTestId('lines')).toHaveTextContent('LIB-01 1');
});

test('the same copy again is refused, and an unknown code waits in a list until it is dismissed', async () => {
  warehouse();
  await render(<Desk />);
  await scan('SCORE-007', 'SCORE-007', 'NOTHING-1');
  await expect.element(notTaken()).toHaveTextContent(
    'NOTHING-1Nothing has the code NOTHING-1.SCORE-007It was scanned already.');
  await expect.element(page.getByTestId('lines')).toHaveTextContent('SCORE-007 1');
  await scan('NOTHING-1');
  await expect.element(page.getByRole('list', { name: 'Not taken' }).getByText('NOTHING-1', { exact: true }))
    .toBeVisible();
  expect(page.getByRole('list', { name: 'Not taken' }).getByRole('listitem').elements()).toHaveLength(2);
  await page.getByRole('button', { name: 'Dismiss NOTHING-1' }).click();
  await expect.element(input()).toHaveFocus();
  await page.getByRole('button', { name: 'Dismiss SCORE-007' }).click();
  await expect.element(notTaken()).toHaveTextContent('');
});

test('codes that are scanned while one is read wait their turn, and a failed call loses none of them', async () => {
  const asked: string[] = [];
  let answer: (() => void) | null = null;
  const take: ScanFieldProps['take'] = async (code) => {
    asked.push(code);
    await new Promise<void>((done) => { answer = done; });
    if (code === 'B') throw new Error('Network Error');
    return { title: code, text: ', taken', undo: () => {} };
  };
  const next = async (code: string): Promise<void> => {
    await expect.poll(() => asked.at(-1)).toBe(code);
    answer!();
  };
  await render(<ThemeProvider><ScanField take={take} hint="Nothing yet" /></ThemeProvider>);
  await scan('a', 'b', 'c');
  await expect.element(last()).toHaveTextContent('Nothing yetReading…');
  expect(asked).toEqual(['A']);
  await next('A');
  await next('B');
  await expect.element(last()).toHaveTextContent('A, takenReading…');
  await next('C');
  await expect.element(last()).toHaveTextContent('C, taken');
  await expect.element(notTaken()).toHaveTextContent('BNetwork Error');
});
