/** Reads a bank file of any format into its statements, or says in one typed refusal why it cannot be read. Pure. */
import type { IsoDate } from '../calendar/calendar.ts';
import { readBai2 } from './bai2.ts';
import {
  BankFileRefused, refused, type BankFile, type BankFileResult, type BankFormat, type BankStatement,
    type DateOrder,
  type DecimalMark,
} from './bank-file.ts';
import { readCamt } from './camt.ts';
import { fileText, type Decode } from './file-text.ts';
import { readMt940 } from './mt940.ts';
import { readOfx } from './ofx.ts';
import { readQif } from './qif.ts';
import { readSheet, type SheetMapping, type SheetRow } from './sheet.ts';
import { sniff } from './sniff.ts';
import { checkStatement } from './statement-checks.ts';

export interface ReadOptions {
  /** Today, for the flag of lines in the future; null leaves it out. */
  today: IsoDate | null;
  /** The account's currency, for formats that name none. */
  currency: string | null;
  date_order: DateOrder | null;
  decimal_mark: DecimalMark | null;
}

/** A file that is no sheet. A sheet answers `mapping_required`: its rows are read by `readBankSheet`. */
export function readBankFile(bytes: Uint8Array, decode: Decode, options: ReadOptions): BankFileResult {
  return answered(() => {
    const text = fileText(bytes, decode);
    const format = sniff(text);
    switch (format) {
      case 'ofx': return checked('ofx', readOfx(text), options);
      case 'qif': return checked('qif', readQif(text, options), options);
      case 'bai2': return checked('bai2', readBai2(text), options);
      case 'camt': {
        const camt = readCamt(text);
        return checked(camt.format, camt.statements, options);
      }
      case 'mt940': {
        const message = readMt940(text);
        return checked(message.format, message.statements, options);
      }
      case 'sheet': throw refused('mapping_required',
        'This is a file of columns, and nothing says yet what they hold.');
    }
  });
}

/** The rows of a CSV file or workbook with the mapping of the account. */
export function readBankSheet(rows: readonly SheetRow[], mapping: SheetMapping, options: ReadOptions): BankFileResult {
  return answered(() => checked('csv', readSheet(rows, mapping, options.currency), options));
}

function checked(format: BankFormat, statements: BankStatement[], { today }: ReadOptions): BankFile {
  return { format, statements: statements.map((one) => checkStatement(one, { today, idsExpected: format === 'ofx' })) };
}

function answered(read: () => BankFile): BankFileResult {
  try {
    return { file: read(), refusal: null };
  } catch (error) {
    if (error instanceof BankFileRefused) return { file: null, refusal: error.refusal };
    throw error;
  }
}
