import { useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useFocusOnHeading } from './focus-on-heading.ts';

/** A frame with a menu's button, whose screen comes when it is let in. */
function Frame() {
  const [path, setPath] = useState('/first');
  const [isThere, setThere] = useState(false);
  useFocusOnHeading(path, path);
  useEffect(() => {
    const letIn = () => setThere(true);
    window.addEventListener('let-in', letIn);
    return () => window.removeEventListener('let-in', letIn);
  }, []);
  return (
    <main>
      <button type="button" onClick={() => { setThere(false); setPath('/second'); }}>Go on</button>
      <button type="button">Account</button>
      {isThere && <h1>{path}</h1>}
    </main>
  );
}

const letIn = () => { window.dispatchEvent(new Event('let-in')); };
/** Longer than the heading takes to be found. */
const waited = () => new Promise((done) => { setTimeout(done, 200); });

it('goes to the heading when it comes, from the press that asked for the screen', async () => {
  await render(<Frame />);
  letIn();
  await expect.element(page.getByRole('heading', { name: '/first' })).toHaveFocus();
  await page.getByRole('button', { name: 'Go on' }).click();
  letIn();
  await expect.element(page.getByRole('heading', { name: '/second' })).toHaveFocus();
});

it.each(['pointer', 'keys'])('stays with what somebody turned to by the %s while the screen came', async (how) => {
  await render(<Frame />);
  await page.getByRole('button', { name: 'Go on' }).click();
  if (how === 'keys') await userEvent.tab();
  else await page.getByRole('button', { name: 'Account' }).click();
  letIn();
  await expect.element(page.getByRole('heading', { name: '/second' })).toBeVisible();
  await waited();
  await expect.element(page.getByRole('button', { name: 'Account' })).toHaveFocus();
});

it('a key that led nowhere keeps it from nothing', async () => {
  await render(<Frame />);
  await userEvent.keyboard('x');
  letIn();
  await expect.element(page.getByRole('heading', { name: '/first' })).toHaveFocus();
});
