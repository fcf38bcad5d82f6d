/** Terms a new licence starts with, by category and division (domain.md 6.3). */
import { programText } from '#kernel/licensing/program-text.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';

const LAW: Record<License['division'], string> = {
  US: 'State of New York', PROD: 'State of New York', UK: 'England and Wales', EU: 'Ireland',
};
const TERRITORY: Record<License['division'], string> = {
  US: 'United States of America', PROD: 'United States of America', UK: 'United Kingdom', EU: 'European Union',
};

export async function defaultTerms(
  db: Queryable, license: License, show: { authors_credit: string; billing_template: string },
): Promise<void> {
  const pro = license.category === 'Pro';
  const house = license.division === 'US' || license.division === 'PROD' ? 'license' : 'licence';
  await db.exec(sql`
    insert into license_terms (license_id, territory, presenter_line, mandatory_program_text, changes_clause,
      report_frequency, report_due_days, cancellation_policy, governing_law, logo_usage)
    values (${license.id}, ${TERRITORY[license.division]}, 'Presented through special arrangement with Grand Rights.',
      ${programText({ rights_granted: ['stage'], video_clause: 'none' })},
      ${`No cuts, additions or changes to the text, the music or the gender of characters without written permission. `
        + `This ${house} covers stage performances of the work as written.`},
      ${pro ? 'week' : 'run'}, 7, ${pro ? 'professional' : 'standard'}, ${LAW[license.division]}, 'none')`);
  if (show.authors_credit !== '') {
    await db.exec(sql`insert into license_billing_lines (license_id, sort, text, role) values
      (${license.id}, 0, ${show.authors_credit}, 'authors')`);
  }
}

/** Rights as they were asked for, with the text of the program that goes with them. */
export async function grantRights(db: Queryable, licenseId: number, rights: readonly string[]): Promise<void> {
  const terms = await db.one<{ video_clause: string; text: string }>(sql`
    select video_clause, mandatory_program_text as text from license_terms where license_id = ${licenseId}`);
  await db.exec(sql`
    update license_terms set rights_granted = ${[...rights]},
      mandatory_program_text = ${programText({ ...terms, rights_granted: rights }, terms.text)}
    where license_id = ${licenseId}`);
}
