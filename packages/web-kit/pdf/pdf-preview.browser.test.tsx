/** A PDF beside its record: pages drawn, words found, and what happens where pdf.js cannot read the file (U23). */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import sample from '../gallery/sample.pdf';
import { PdfLink } from './pdf-link.tsx';
import { PdfPreview } from './pdf-preview.tsx';

const marked = (): string[] => [...CSS.highlights.get('pdf-found') ?? []].map(String);

test('shows every page with its words, and enlarges', async () => {
  const screen = await staged(<PdfPreview url={sample} title="Contract" fileName="contract.pdf" />);
  await expect.element(screen.getByText('Page 1 of 2'), { timeout: 30_000 }).toBeVisible();
  await expect.element(screen.getByText('It becomes valid when it is signed.')).toBeInTheDocument();
  const sheet = screen.getByRole('group', { name: 'Page 1', exact: true });
  const before = sheet.element().getBoundingClientRect().width;
  await screen.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(() => Math.round(sheet.element().getBoundingClientRect().width / before * 100)).toBe(125);
  await expect.element(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'contract.pdf');
});

test('finds words on every page, marks them and goes round', async () => {
  const screen = await staged(<PdfPreview url={sample} title="Contract" fileName="contract.pdf" />);
  await expect.element(screen.getByText('Page 1 of 2'), { timeout: 30_000 }).toBeVisible();
  await screen.getByLabelText('Find in the document').fill('THE PROGRAMME');
  await expect.element(screen.getByText('1 of 1')).toBeVisible();
  await expect.poll(marked).toEqual(['The programme']);
  await screen.getByLabelText('Find in the document').fill('licence');
  await expect.element(screen.getByText('1 of 2')).toBeVisible();
  await expect.poll(marked).toEqual(['licence']);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('2 of 2')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('1 of 2')).toBeVisible();
  await screen.getByLabelText('Find in the document').fill('balcony');
  await expect.element(screen.getByText('Not found')).toBeVisible();
  await expect.poll(marked).toEqual([]);
});

test('leaves to the browser what it cannot read', async () => {
  const url = URL.createObjectURL(new Blob(['no PDF at all'], { type: 'text/plain' }));
  const screen = await staged(<PdfPreview url={url} title="Upload" fileName="upload.pdf" />);
  await expect.element(screen.getByTitle('Upload, preview'), { timeout: 30_000 }).toHaveAttribute('src', url);
});

test('opens over the screen and closes with Escape; what is no PDF is left to the browser', async () => {
  await page.viewport(1280, 900);
  const screen = await staged(<PdfLink href={sample} title="Contract" fileName="contract.PDF">Read</PdfLink>);
  await screen.getByRole('link', { name: 'Read' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Contract' })).toBeVisible();
  await expect.element(screen.getByText('Page 1 of 2'), { timeout: 30_000 }).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.querySelector('[role="dialog"]')).toBeNull();
  await expect.element(screen.getByRole('link', { name: 'Read' })).toHaveFocus();
});

test('a picture behind the same button is followed as a link', async () => {
  const screen = await staged(<PdfLink href="#seen" title="Poster" fileName="poster.png">Open</PdfLink>);
  const link = screen.getByRole('link', { name: 'Open' });
  let prevented: boolean | null = null;
  document.addEventListener('click', (event) => { prevented = event.defaultPrevented; event.preventDefault(); },
    { once: true });
  await link.click();
  expect(prevented).toBe(false);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});
