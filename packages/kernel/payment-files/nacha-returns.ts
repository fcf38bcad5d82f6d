/**
 * Returns (addenda 99) and notices of change (addenda 98) that come back from the bank as a NACHA file. One pass over
 * the records; a file of payments to send is refused by name, and so is one that ends inside a batch.
 */
import type { Decode } from '../bank-statements/file-text.ts';
import { AnswerRefused, answered, type Answered } from './answer-file.ts';
import { changeNotice, returnReason, type ChangedDetails, type ReturnReason } from './nacha-codes.ts';

export type NachaFlag = 'header_missing' | 'end_missing' | 'entry_hash_mismatch' | 'total_mismatch' | 'count_mismatch';

interface NachaAnswer {
  code: string;
  /** The trace number that our file gave the payment. */
  original_trace: string;
  /** Our id of the payment, as the entry carries it back. */
  item_id: string;
  name: string;
  /** Minor units; 0 for a prenote. */
  amount_minor: bigint;
  /** The entry pays out: what comes back is our payment. false for a debit. */
  is_credit: boolean;
  line: number;
}

export interface NachaReturn extends NachaAnswer, ReturnReason {
  information: string;
}

export interface NachaChange extends NachaAnswer {
  text: string;
  details: ChangedDetails;
  corrected: string;
}

export interface NachaReturns {
  returns: NachaReturn[];
  changes: NachaChange[];
  flags: NachaFlag[];
}

const WIDTH = 94;

/** Returns and notices of change, or one typed refusal. */
export function readNachaReturns(bytes: Uint8Array, decode: Decode): Answered<NachaReturns> {
  return answered(bytes, decode, (text) => new Reader(recordsOf(text)).read());
}

interface Record {
  text: string;
  line: number;
}

/** Lines, or slices of 94 where the file has no line ends. Blanks cut off at the end are put back. */
function recordsOf(text: string): Record[] {
  const records: Record[] = [];
  text.split(/\r\n|\n|\r/).forEach((raw, index) => {
    const line = raw.trimEnd();
    if (line === '') return;
    const record = (part: string): void => {
      records.push({ text: part.padEnd(WIDTH), line: index + 1 });
    };
    if (line.length <= WIDTH) record(line);
    else if (index === 0 && line.length > 2 * WIDTH) {
      for (let at = 0; at < line.length; at += WIDTH) record(line.slice(at, at + WIDTH));
    } else {
      const message = `A record has ${line.length} characters instead of ${WIDTH}.`;
      throw new AnswerRefused(/^[15-9]/.test(line) && looksLikeNacha(text) ? 'record_length' : 'not_an_answer_file',
        message, index + 1);
    }
  });
  const first = records[0];
  if (!first || !(first.text.startsWith('101') || /^5[0-9 ]{3}/.test(first.text))) {
    throw new AnswerRefused('not_an_answer_file',
      'This is no NACHA file: it does not begin with a file or batch header.');
  }
  return records;
}

function looksLikeNacha(text: string): boolean {
  return text.startsWith('101') || text.startsWith('5');
}

interface Totals {
  count: number;
  hash: bigint;
  debit: bigint;
  credit: bigint;
}

const none = (): Totals => ({ count: 0, hash: 0n, debit: 0n, credit: 0n });

interface Entry {
  item_id: string;
  name: string;
  amount_minor: bigint;
  is_credit: boolean;
  is_answered: boolean;
}

class Reader {
  readonly #records: Record[];
  readonly #returns: NachaReturn[] = [];
  readonly #changes: NachaChange[] = [];
  readonly #flags = new Set<NachaFlag>();
  readonly #file = none();
  #batch: Totals | null = null;
  #isInternational = false;
  #entry: Entry | null = null;
  #hasEnd = false;
  #entries = 0;

  constructor(records: Record[]) {
    this.#records = records;
  }

  read(): NachaReturns {
    if (!this.#records[0]?.text.startsWith('1')) this.#flags.add('header_missing');
    this.#records.forEach((record, index) => this.#take(record, index));
    const last = this.#records.at(-1)?.line ?? null;
    if (this.#batch) throw new AnswerRefused('truncated', 'The file ends inside a batch.', last);
    if (this.#returns.length + this.#changes.length === 0) {
      throw this.#entries > 0
        ? new AnswerRefused('payment_order', 'The file holds payments, but no return and no notice of change.')
        : new AnswerRefused('no_answers', 'The file holds no return and no notice of change.');
    }
    if (!this.#hasEnd) this.#flags.add('end_missing');
    return { returns: this.#returns, changes: this.#changes, flags: [...this.#flags].sort() };
  }

  #take(record: Record, index: number): void {
    const { text, line } = record;
    if (this.#hasEnd) {
      if (/^9+$/.test(text)) return;
      throw new AnswerRefused('record_order', 'Records follow the end of the file.', line);
    }
    switch (text[0]) {
      case '1':
        if (index > 0) throw new AnswerRefused('record_order', 'A second file begins inside the file.', line);
        break;
      case '5': this.#openBatch(record); break;
      case '6': this.#openEntry(record); break;
      case '7': this.#addenda(record); break;
      case '8': this.#closeBatch(record); break;
      case '9': this.#closeFile(record); break;
      default: throw new AnswerRefused('malformed', `A record begins with “${text[0] ?? ''}”.`, line);
    }
  }

  #openBatch({ text, line }: Record): void {
    if (this.#batch) throw new AnswerRefused('record_order', 'A batch begins inside a batch.', line);
    this.#batch = none();
    this.#entry = null;
    // Returns of payments abroad keep IAT; their notices of change have the indicator IATCOR.
    this.#isInternational = text.slice(50, 53) === 'IAT' || text.slice(4, 10) === 'IATCOR';
  }

  #openEntry({ text, line }: Record): void {
    if (!this.#batch) throw new AnswerRefused('record_order', 'A payment is outside a batch.', line);
    const code = text.slice(1, 3);
    const bank = text.slice(3, 11);
    const amount = text.slice(29, 39);
    if (!/^\d{2}$/.test(code) || !/^\d{8}$/.test(bank) || !/^\d{10}$/.test(amount)) {
      throw new AnswerRefused('malformed', 'A payment has no code, routing number or amount.', line);
    }
    const amount_minor = BigInt(amount);
    // 21 to 24, 31 to 34, 41 to 43, 51 to 53 are credits; 26 to 29 and so on debits.
    const is_credit = Number(code[1]) < 5;
    this.#batch.count += 1;
    this.#batch.hash += BigInt(bank);
    this.#batch[is_credit ? 'credit' : 'debit'] += amount_minor;
    this.#entries += 1;
    const wide = this.#isInternational;
    this.#entry = { amount_minor, is_credit, item_id: wide ? '' : text.slice(39, 54).trim(),
      name: wide ? '' : text.slice(54, 76).trim(), is_answered: false };
  }

  #addenda({ text, line }: Record): void {
    const entry = this.#entry;
    if (!this.#batch || !entry) {
      throw new AnswerRefused('record_order', 'An addenda is outside a payment.', line);
    }
    this.#batch.count += 1;
    const type = text.slice(1, 3);
    if (type === '10' && this.#isInternational) entry.name = text.slice(46, 81).trim();
    if (type !== '98' && type !== '99') return;
    if (entry.is_answered) throw new AnswerRefused('record_order', 'A payment is returned twice.', line);
    entry.is_answered = true;
    const { amount_minor, is_credit, item_id, name } = entry;
    const answer = { code: text.slice(3, 6), original_trace: text.slice(6, 21).trim(), amount_minor, is_credit, item_id,
      name, line };
    if (!/^\d{15}$/.test(answer.original_trace)) {
      throw new AnswerRefused('malformed', 'A return does not name the trace number of the payment.', line);
    }
    if (type === '99') this.#takeReturn(answer, text);
    else this.#takeChange(answer, text);
  }

  #takeReturn(answer: NachaAnswer, text: string): void {
    const reason = returnReason(answer.code);
    if (!reason) throw this.#unknown(answer);
    this.#returns.push({ ...answer, ...reason, information: text.slice(35, 79).trim() });
  }

  #takeChange(answer: NachaAnswer, text: string): void {
    const corrected = text.slice(35, 64);
    const notice = changeNotice(answer.code, corrected);
    if (!notice) throw this.#unknown(answer);
    this.#changes.push({ ...answer, ...notice, corrected: corrected.trim() });
  }

  #unknown({ code, line }: NachaAnswer): AnswerRefused {
    return new AnswerRefused('reason_unknown', `The rules of Nacha have no code “${code.trim()}”.`, line);
  }

  #closeBatch({ text, line }: Record): void {
    const batch = this.#batch;
    if (!batch) throw new AnswerRefused('record_order', 'A batch ends that has not begun.', line);
    this.#compare(batch, text.slice(4, 10), text.slice(10, 20), text.slice(20, 32), text.slice(32, 44));
    this.#file.count += batch.count;
    for (const key of ['hash', 'debit', 'credit'] as const) this.#file[key] += batch[key];
    this.#batch = null;
    this.#entry = null;
  }

  #closeFile({ text, line }: Record): void {
    if (this.#batch) throw new AnswerRefused('truncated', 'The file ends inside a batch.', line);
    this.#hasEnd = true;
    this.#compare(this.#file, text.slice(13, 21), text.slice(21, 31), text.slice(31, 43), text.slice(43, 55));
  }

  #compare(counted: Totals, count: string, hash: string, debit: string, credit: string): void {
    const states = (text: string, value: bigint): boolean => /^\d+$/.test(text) && BigInt(text) === value;
    if (!states(count, BigInt(counted.count))) this.#flags.add('count_mismatch');
    if (!states(hash, counted.hash % 10_000_000_000n)) this.#flags.add('entry_hash_mismatch');
    if (!states(debit, counted.debit) || !states(credit, counted.credit)) this.#flags.add('total_mismatch');
  }
}
