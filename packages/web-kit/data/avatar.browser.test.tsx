/** Avatars: state S106, constants C76, C81, gaps G63. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Avatar, AVATAR_SIZES, DEFAULT_AVATAR, initialsOf, type AvatarSize } from './avatar.tsx';

const drawn = (screen: { container: Element }) => screen.container.querySelector('span')!;

test('[S106] [C76] the sizes are sm, regular, md, lg and xl', async () => {
  expect(AVATAR_SIZES).toEqual({ sm: 24, regular: 32, md: 40, lg: 56, xl: 80 });
  for (const [size, pixels] of Object.entries(AVATAR_SIZES)) {
    const screen = await staged(<Avatar name="Eleanor Marsh" size={size as AvatarSize} />);
    const { width, height } = drawn(screen).getBoundingClientRect();
    expect([width, height], size).toEqual([pixels, pixels]);
    await screen.unmount();
  }
  const plain = await staged(<Avatar name="Eleanor Marsh" />);
  expect(drawn(plain).getBoundingClientRect().width).toBe(AVATAR_SIZES.regular);
});

test('[S106] without a picture, or with one that fails, the default avatar of the host shows', async () => {
  const screen = await staged(<Avatar name="Eleanor Marsh" />);
  const shown = () => drawn(screen).querySelector('img')?.getAttribute('src');
  expect(shown()).toBe('/images/default-avatar.svg');
  await expect.element(page.getByText('EM')).toBeVisible();
  // The file is among those that the host serves.
  const file = await fetch(`/apps/web/public${DEFAULT_AVATAR}`);
  expect(await file.text()).toMatch(/^<svg xmlns/);
  await screen.rerender(<Avatar name="Eleanor Marsh" url="data:image/png;base64,broken" />);
  await expect.poll(shown).toBe('/images/default-avatar.svg');
});

test('a picture that is there shows instead', async () => {
  const url = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
  const screen = await staged(<Avatar name="Eleanor Marsh" url={url} />);
  expect([...drawn(screen).querySelectorAll('img')].map((one) => one.getAttribute('src'))).toEqual([url]);
  expect(page.getByText('EM').elements()).toHaveLength(0);
});

test('initials are the first letters of the first and the last word', () => {
  expect(['Eleanor Marsh', 'Astoria', 'Jo van der Tan', ' '].map(initialsOf)).toEqual(['EM', 'A', 'JT', '']);
});
