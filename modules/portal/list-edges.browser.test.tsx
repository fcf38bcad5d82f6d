/** Rows of a card: even edges where no heading stands over them, and below the heading where one does. */
import { expect, test } from 'vitest';
import { staged } from '#web/controls/stage.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import styles from './portal.module.css';

const rows = (
  <ul className={styles.list}>
    <li><a className={styles.item} href="#one">One</a></li><li><a className={styles.item} href="#two">Two</a></li>
  </ul>
);

test('without a heading the first row reaches the edge of its card as the last does', async () => {
  const { container } = await staged(<Card>{rows}</Card>);
  const card = container.querySelector('section')!.getBoundingClientRect();
  const [first, last] = [...container.querySelectorAll('a')].map((one) => one.getBoundingClientRect());
  expect(first!.top - card.top).toBeCloseTo(card.bottom - last!.bottom, 0);
});

test('a list inside another part of a card stays below its heading', async () => {
  const { container } = await staged(
    <Card title="Shipping addresses"><div className={styles.stack}>{rows}</div></Card>,
  );
  const heading = container.querySelector('h2')!.parentElement!.getBoundingClientRect();
  expect(container.querySelector('a')!.getBoundingClientRect().top).toBeGreaterThanOrEqual(heading.bottom);
});
