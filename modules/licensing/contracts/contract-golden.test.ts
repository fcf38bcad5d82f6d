/** The contract of every division and category, read back from its PDF word for word. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { textOfPages } from '#server/pdf-pages.ts';
import { renderPdf } from '#server/pdf.ts';
import { testApp } from '#tests/support/app.ts';
import { TABLES, CERTAIN_WORDS, CONDITIONS, POSSIBLE_WORDS, paragraphProblems,
  type ContractClause } from '#kernel/licensing/contract-form.ts';
import { sampleOffer } from './contract-sample.ts';
import { contractText } from './contract-text.ts';

const test = testApp();
const GOLDEN = new URL('./golden/', import.meta.url).pathname;
mkdirSync(GOLDEN, { recursive: true });

interface Form { id: number; division: string; category: string; version_no: number; clauses: ContractClause[] }
const formsInUse = (): Promise<Form[]> => test.database.db.query<Form>(sql`
  select id, division, category, version_no, clauses from contract_templates where status = 'in_use'
  order by division, category`);

describe('the text in use', () => {
  it('exists for every division and category, and names only placeholders that exist', async () => {
    const forms = await formsInUse();
    expect(forms.map((form) => `${form.division} ${form.category}`)).toEqual(['EU Amateur', 'EU Pro', 'PROD Amateur',
      'PROD Pro', 'UK Amateur', 'UK Pro', 'US Amateur', 'US Pro']);
    for (const { clauses } of forms) {
      for (const { text, when } of clauses.flatMap((clause) => clause.paragraphs)) {
        expect(paragraphProblems(text), text).toEqual([]);
        expect(Object.keys(CONDITIONS)).toContain(when);
      }
    }
  });

  it('uses every table and placeholder that staff can choose, but for those of the offer letter', async () => {
    const text = (await formsInUse()).flatMap((form) => form.clauses).flatMap((clause) => clause.paragraphs)
      .map((paragraph) => paragraph.text).join(' ');
    const unused = [...Object.keys(TABLES), ...Object.keys(CERTAIN_WORDS), ...Object.keys(POSSIBLE_WORDS)]
      .filter((name) => !text.includes(`{${name}}`));
    expect(unused).toEqual(['expires_on', 'title', 'venues']);
  });
});

describe('the PDF', () => {
  it.each(['US', 'PROD', 'UK', 'EU'].flatMap((division) => [[division, 'Amateur'], [division, 'Pro']] as const))(
    'of %s %s has every clause, its tables and its page numbers', async (division, category) => {
      const form = (await formsInUse()).find((one) => one.division === division && one.category === category)!;
      const offer = sampleOffer({ ...form, id: 1, counsel: null });
      const pages = await textOfPages(await renderPdf(contractText(offer, new Date('2026-11-20T00:00:00Z'))));
      pages.forEach((page, at) => expect(page).toContain(`${at + 1} / ${pages.length}`));
      const text = pages.join('\n\f\n').split('\n').map((line) => line.trimEnd()).join('\n');
      expect(text).not.toMatch(/[{}]|undefined|null|NaN/);
      const british = division === 'UK' || division === 'EU';
      expect(text).not.toMatch(british ? /\b(this|a) license\b|\bprograms?\b|Sales tax/i
        : /\blicences?\b|\bprogrammes?\b|organisation|\bVAT\b/i);
      await expect(text).toMatchFileSnapshot(`${GOLDEN}${division}-${category}.txt`);
    });
});
