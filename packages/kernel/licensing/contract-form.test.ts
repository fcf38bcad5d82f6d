/** Placeholders, conditions and numbers of contract texts. */
import { describe, expect, it } from 'vitest';
import {
  CERTAIN_WORDS, CONDITIONS, fillClauses, paragraphProblems, POSSIBLE_WORDS, type ContractCondition,
  type ContractFacts, type ContractTable, type ContractWord,
} from './contract-form.ts';

const words = Object.fromEntries([...Object.keys(CERTAIN_WORDS), ...Object.keys(POSSIBLE_WORDS)]
  .map((name) => [name, `<${name}>`])) as Record<ContractWord, string>;
const facts = (some: { words?: Partial<Record<ContractWord, string>>; tables?: ContractTable[];
  met?: ContractCondition[] } = {}): ContractFacts => ({ words: { ...words, ...some.words },
  tables: new Set(some.tables ?? []), conditions: new Set(['always', ...some.met ?? []]) });

describe('a paragraph', () => {
  it('takes known placeholders and refuses others by name', () => {
    expect(paragraphProblems('{licensor} grants {licensee} the rights.')).toEqual([]);
    expect(paragraphProblems('{tenant} pays.')).toEqual([
      '{tenant} is not a placeholder. Choose one from the list']);
    expect(paragraphProblems('{ licensee } pays.')).toHaveLength(1);
  });
  it('refuses an open brace, an empty text and a table inside a sentence', () => {
    expect(paragraphProblems('{licensee pays')).toEqual(['A brace is open. Write placeholders as {licensee}']);
    expect(paragraphProblems('  ')).toEqual(['Enter the text, or remove the paragraph']);
    expect(paragraphProblems('As follows: {price_table}')).toEqual([
      '{price_table} is a table: give it a paragraph of its own']);
    expect(paragraphProblems('{price_table}')).toEqual([]);
  });
  it('knows no name of an object by birth', () => {
    expect(paragraphProblems('{constructor} {toString}')).toHaveLength(2);
  });
});

describe('clauses', () => {
  const clauses = [
    { heading: 'Special', paragraphs: [{ when: 'always', text: '{other_terms}' }] },
    { heading: 'Grant', paragraphs: [{ when: 'exclusive', text: 'Exclusive.' }, { when: 'always',
      text: '{licensor} to {licensee}.' }, { when: 'always', text: '{seats_table}' }, { when: 'always',
      text: '{price_table}' }, { when: 'always', text: 'Last.' }] },
  ] as const;
  it('are numbered by what is left: conditions not met, empty words and absent tables drop out', () => {
    expect(fillClauses(clauses, facts({ words: { other_terms: '' }, tables: ['price_table'] }))).toEqual([
      { heading: '1. Grant', parts: [{ kind: 'text', number: '1.1', text: '<licensor> to <licensee>.' },
        { kind: 'table', table: 'price_table' }, { kind: 'text', number: '1.2', text: 'Last.' }] }]);
  });
  it('keep every paragraph whose condition is met', () => {
    const [special, grant] = fillClauses(clauses, facts({ met: ['exclusive'],
      tables: ['price_table', 'seats_table'] }));
    expect(special!.parts).toEqual([{ kind: 'text', number: '1.1', text: '<other_terms>' }]);
    expect(grant!.parts).toHaveLength(5);
  });
  it('leave braces in the words of a licence alone', () => {
    const [special] = fillClauses(clauses, facts({ words: { other_terms: 'see {licensee} $1 $&' } }));
    expect(special!.parts).toEqual([{ kind: 'text', number: '1.1', text: 'see {licensee} $1 $&' }]);
  });
  it('have words for every condition', () => {
    expect(Object.values(CONDITIONS).every((text) => text.length > 3)).toBe(true);
  });
});
