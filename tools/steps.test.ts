import { expect, it } from 'vitest';
import { lineWriter } from './steps.ts';

it('shows whole lines under the name of their part, however they come', () => {
  const shown: string[] = [];
  const lines = lineWriter('node', (text) => shown.push(text));
  lines.add('one\ntw');
  expect(shown).toEqual(['node     one\n']);
  lines.add('o\nthree\n');
  lines.end();
  lines.add('the end');
  lines.end();
  expect(shown.slice(1)).toEqual(['node     two\nnode     three\n', 'node     the end\n']);
});
