/** Materials with files: those that a license downloads and those lent for perusal. */
import { expect, test } from 'vitest';
import { hasFiles } from './material-words.web.ts';

test.each([['physical', false], ['download', true], ['stream_app', true], ['email', true]] as const)(
  'a material that goes out as %s: %s', (fulfilment, expected) => {
    expect(hasFiles({ fulfilment })).toBe(expected);
  });
