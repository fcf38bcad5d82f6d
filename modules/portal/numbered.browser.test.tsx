/** A document's kind and number are one text, also in a link that a phone lays out as a row. */
import { render } from 'vitest-browser-react';
import { expect, test } from 'vitest';
import { Numbered } from './portal-parts.web.tsx';

test('a number keeps its space in a link of 44 px', async () => {
  const { container } = await render(
    <a href="#invoice" style={{ display: 'inline-flex', alignItems: 'center' }}>
      <Numbered kind="Invoice" number="INV-US-2026-000012" />
    </a>);
  expect(container.innerText).toBe('Invoice INV-US-2026-000012');
});
