/** Where files are added: what a licence downloads has them as well as what is lent for reading. */
import { expect, test } from 'vitest';
import { hasFiles } from './material-files.web.tsx';

test.each([['physical', false], ['download', true], ['stream_app', true], ['email', true]] as const)(
  'a material that goes out as %s: %s', (fulfilment, expected) => {
    expect(hasFiles({ fulfilment })).toBe(expected);
  });
