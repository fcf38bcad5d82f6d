/** American texts as British readers spell them. */
import { afterEach, describe, expect, it, test } from 'vitest';
import { inBritish, setReaderLanguage, spell, spellIn } from './english.ts';

describe('British spelling', () => {
  test.each([
    ['License L-US-2026-000481', 'Licence L-US-2026-000481'], ['licenses and quotes', 'licences and quotes'],
    ['The licensee is licensed to perform', 'The licensee is licensed to perform'],
    ['This show cannot be licensed', 'This show cannot be licensed'], ['to license a show', 'to license a show'],
    ['Your organization', 'Your organisation'], ['Unauthorized', 'Unauthorised'],
    ['No organizations', 'No organisations'],
    ['Community theater', 'Community theatre'], ['Theaters', 'Theatres'],
    ['Canceled', 'Cancelled'], ['Cancel, cancellation', 'Cancel, cancellation'],
    ['Required program credit', 'Required programme credit'], ['Programmer', 'Programmer'],
    ['First installment', 'First instalment'], ['Aging', 'Ageing'], ['paging, managing', 'paging, managing'],
    ['Enter a ZIP code', 'Enter a postcode'], ['ZIP code', 'Postcode'], ['CATALOG', 'CATALOGUE'],
    ['fulfilled, fulfills', 'fulfilled, fulfils'], ['Check number', 'Cheque number'], ['Pay by check', 'Pay by cheque'],
    ['Check your email', 'Check your email'], ['Return the check', 'Return the cheque'],
    ['Check the columns', 'Check the columns'], ['Check', 'Cheque'],
    ['the refusal names the check', 'the refusal names the check'], ['size, prize, seized', 'size, prize, seized'],
    ['Unlabeled copies', 'Unlabelled copies'], ['realized FX gain', 'realised FX gain'],
  ])('%s: %s', (american, british) => {
    expect(inBritish(american)).toBe(british);
    expect(inBritish(british)).toBe(british);
  });
});

describe('spell', () => {
  afterEach(() => setReaderLanguage(() => 'en-US'));

  it('leaves what people typed as it is', () => {
    const name = 'Center Theater Program License';
    expect(spellIn('en-GB')`License of ${name} canceled ${3} times`)
      .toBe('Licence of Center Theater Program License cancelled 3 times');
    expect(spellIn('en-US')`License of ${name}`).toBe(`License of ${name}`);
  });

  it('joins the lines of a long text', () => {
    expect(spellIn('en-US')`Your license
      is valid`).toBe('Your license is valid');
  });

  it('follows the reader of the moment', () => {
    expect(spell`License`).toBe('License');
    setReaderLanguage(() => 'en-GB');
    expect(spell`License`).toBe('Licence');
    expect(spell('Organization')).toBe('Organisation');
  });
});
