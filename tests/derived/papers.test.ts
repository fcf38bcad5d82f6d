/**
 * Every kind of paper in every division, its text held against the records: figures, days, words and names of the
 * division, and the sums that a reader adds up again.
 */
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIVISIONS, type Division } from '#kernel/money/division.ts';
import { archiveDirectory, packedBytes } from '#server/archive-directory.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { CASES } from '#tests/support/paper-cases.ts';
import { makeAmendment, makeCheck, makeCreditNote, makeDepositSlip, makeVendorAccount, makeYearEnd } from
  '#tests/support/paper-makers.ts';
import { missingFrom, wrongWords } from '#tests/support/paper-figures.ts';
import { pdfText } from '#tests/support/pdf-text.ts';

const test = testApp({ season: true });
let staff: SignedIn;

type Kind = keyof typeof CASES;
type Maker = (of: { test: typeof test; staff: SignedIn; division: Division }) => Promise<void>;
const MAKERS: Partial<Record<Kind, Maker>> = {
  credit_note: makeCreditNote, amendment: makeAmendment, deposit_slip: makeDepositSlip,
  vendor_statement: makeVendorAccount, check: makeCheck, year_end_form: makeYearEnd,
};
/** Kinds that a division has no use for. */
const NEVER: Partial<Record<Kind, readonly Division[]>> = {
  // Sales tax is never charged on a deposit.
  vat_receipt: ['US', 'PROD'],
  // No account in euros draws checks (payout methods).
  check: ['EU'],
};

beforeAll(async () => {
  staff = await test.signedIn('system_admin');
  await staff.confirm();
});

function packedFile(archive: Buffer, name: string): Buffer {
  const entry = archiveDirectory(archive, 100)!.find((one) => one.name === name)!;
  return inflateRawSync(packedBytes(archive, entry)!);
}

describe.each(Object.keys(CASES) as Kind[])('%s', (kind) => {
  it.each(DIVISIONS.filter((division) => !NEVER[kind]?.includes(division)))('says in %s what the records say',
  async (division) => {
    let proofs = await CASES[kind](test.ports.db, division);
    if (proofs.length === 0) {
      await MAKERS[kind]?.({ test, staff, division });
      proofs = await CASES[kind](test.ports.db, division);
    }
    const wrong: string[] = [];
    for (const { path, says, within } of proofs) {
      const { status, raw, body } = await staff.get(path);
      expect(status, `${path} ${JSON.stringify(body).slice(0, 300)}`).toBe(200);
      const text = await pdfText(within === undefined ? raw : packedFile(raw, within));
      wrong.push(...[...missingFrom(text, says).map((one) => `missing: ${one}`), ...wrongWords(text, division)]
        .map((one) => `${path}: ${one}`));
    }
    expect(wrong).toEqual([]);
    expect(proofs.length, 'papers in the season').toBeGreaterThan(0);
  });
});
