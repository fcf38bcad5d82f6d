import { describe, expect, it } from 'vitest';
import { mentionAt, mentionedIds, storedMentions } from './mentions.ts';

const ada = { id: 7, name: 'Ada Marsh' };
const adaJunior = { id: 8, name: 'Ada Marsh Junior' };

describe('mentions in a text', () => {
  it('reads whom a stored text names, each once, and nothing that only looks like it', () => {
    expect(mentionedIds('@[7] and @[8], then @[7] again')).toEqual([7, 8]);
    expect(mentionedIds('ada@[x] @[] @[-1] @7 [7]')).toEqual([]);
  });

  it('turns the names that were chosen into ids, the longer name first', () => {
    expect(storedMentions('@Ada Marsh Junior asked @Ada Marsh.', [ada, adaJunior])).toBe('@[8] asked @[7].');
    const noNames = 'Ada Marsh, x@Ada Marsh, @Ada Marshall';
    expect(storedMentions(noNames, [ada])).toBe(noNames);
    expect(storedMentions('@Ada Marsh', [])).toBe('@Ada Marsh');
    expect(storedMentions('(@Ada Marsh)', [ada])).toBe('(@[7])');
  });

  it('knows where a mention is being written', () => {
    expect(mentionAt('Ask @', 5)).toEqual({ start: 4, query: '' });
    expect(mentionAt('Ask @Ada Ma and', 11)).toEqual({ start: 4, query: 'Ada Ma' });
    expect(mentionAt('(@ad', 4)).toEqual({ start: 1, query: 'ad' });
    expect(mentionAt('ada@marsh.test', 9)).toBeNull();
    expect(mentionAt('Ask @ somebody', 14)).toBeNull();
    expect(mentionAt('@Ada\nnext line', 14)).toBeNull();
    expect(mentionAt('@[7', 3)).toBeNull();
  });
});
