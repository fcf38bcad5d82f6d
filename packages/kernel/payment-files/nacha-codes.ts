/** Reason codes of returns and notices of change (Nacha Operating Rules, appendix four and five), in short words. */

/** `closed`: the account cannot be paid again; `details`: the bank details are wrong; `other`: neither. */
export type ReturnKind = 'closed' | 'details' | 'other';

export interface ReturnReason {
  text: string;
  kind: ReturnKind;
  /** The receiver's or our bank argues about a return; no payment comes back with it. */
  is_dispute: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  R01: 'Insufficient funds', R02: 'Account closed', R03: 'No account, or unable to locate it',
  R04: 'Invalid account number', R05: 'Unauthorized debit to a consumer account', R06: 'Returned at our bank’s request',
  R07: 'Authorization revoked', R08: 'Payment stopped', R09: 'Uncollected funds', R10: 'Customer advises unauthorized',
  R11: 'Entry not in accordance with the authorization', R12: 'Branch sold to another bank',
  R13: 'Invalid routing number', R14: 'Representative payee deceased or unable to continue',
  R15: 'Beneficiary or account holder deceased', R16: 'Account frozen', R17: 'File record edit criteria',
  R18: 'Improper effective entry date', R19: 'Amount field error', R20: 'Non-transaction account',
  R21: 'Invalid company identification', R22: 'Invalid individual id number', R23: 'Credit refused by receiver',
  R24: 'Duplicate entry', R25: 'Addenda error', R26: 'Mandatory field error', R27: 'Trace number error',
  R28: 'Routing number check digit error', R29: 'Corporate customer advises not authorized',
  R30: 'Receiving bank does not take part in truncated checks', R31: 'Permissible return entry',
  R32: 'Receiving bank does not settle', R33: 'Return of an XCK entry', R34: 'Limited participation of the bank',
  R35: 'Return of improper debit entry', R36: 'Return of improper credit entry',
  R37: 'Source document presented for payment', R38: 'Stop payment on source document',
  R39: 'Improper source document', R40: 'Return of an enrollment by a federal agency', R41: 'Invalid transaction code',
  R42: 'Routing number or check digit error', R43: 'Invalid account number', R44: 'Invalid individual id',
  R45: 'Invalid individual or company name', R46: 'Invalid representative payee indicator',
  R47: 'Duplicate enrollment', R50: 'State law affecting RCK acceptance', R51: 'RCK entry ineligible or improper',
  R52: 'Stop payment on an RCK item', R53: 'Item and RCK entry presented for payment', R80: 'IAT coding error',
  R81: 'Not a participant in IAT', R82: 'Invalid foreign receiving bank',
  R83: 'Foreign receiving bank unable to settle',
  R84: 'Entry not processed by gateway', R85: 'Incorrectly coded outbound international payment',
  R61: 'Misrouted return', R62: 'Return of erroneous or reversing debit', R67: 'Duplicate return',
  R68: 'Untimely return', R69: 'Field error in the return', R70: 'Permissible return not accepted',
  R71: 'Misrouted dishonored return', R72: 'Untimely dishonored return', R73: 'Timely original return',
  R74: 'Corrected return', R75: 'Return not a duplicate', R76: 'No errors found',
  R77: 'Non-acceptance of R62 dishonored return',
};
const CLOSED = new Set(['R02', 'R12', 'R14', 'R15', 'R16', 'R20']);
const DETAILS = new Set(['R03', 'R04', 'R13', 'R17', 'R28', 'R34', 'R41', 'R42', 'R43', 'R44', 'R45']);

/** The reason of a code, or null for a code that the rules do not have. */
export function returnReason(code: string): ReturnReason | null {
  const text = REASONS[code];
  if (text === undefined) return null;
  const number = Number(code.slice(1));
  return { text, kind: CLOSED.has(code) ? 'closed' : DETAILS.has(code) ? 'details' : 'other',
    is_dispute: number >= 61 && number <= 77 };
}

export interface ChangedDetails {
  routing: string | null;
  account: string | null;
  /** True for savings, false for checking; null where the code does not change. */
  savings: boolean | null;
  name: string | null;
  individual_id: string | null;
}

const NOTHING: ChangedDetails = { routing: null, account: null, savings: null, name: null, individual_id: null };

const CHANGES: Readonly<Record<string, { text: string; read: (data: string) => Partial<ChangedDetails> }>> = {
  C01: { text: 'Account number', read: (data) => ({ account: account(data) }) },
  C02: { text: 'Routing number', read: (data) => ({ routing: routing(data) }) },
  C03: { text: 'Routing and account number',
    read: (data) => ({ routing: routing(data), account: account(data.slice(12)) }) },
  C04: { text: 'Name', read: (data) => ({ name: data.trim() }) },
  C05: { text: 'Kind of account', read: (data) => ({ savings: savings(data.trim()) }) },
  C06: { text: 'Account number and kind of account', read: numberAndKind },
  C07: { text: 'Routing number, account number and kind of account',
    read: (data) => ({ routing: routing(data), ...numberAndKind(data.slice(9)) }) },
  C08: { text: 'Foreign bank', read: () => ({}) },
  C09: { text: 'Individual id', read: (data) => ({ individual_id: data.trim() }) },
  C13: { text: 'Addenda format', read: () => ({}) },
  C14: { text: 'Standard entry class of a payment abroad', read: () => ({}) },
};
/** Codes with which we or our bank refuse a notice. */
const REFUSED_NOTICE = /^C6[1-9]$/;

/** Meaning of a notice of change, or null for an unknown code. Details are null where the data cannot be parsed. */
export function changeNotice(code: string, data: string): { text: string; details: ChangedDetails } | null {
  if (REFUSED_NOTICE.test(code)) return { text: 'Refused notice of change', details: NOTHING };
  const change = CHANGES[code];
  return change ? { text: change.text, details: { ...NOTHING, ...change.read(data) } } : null;
}

function routing(data: string): string | null {
  const digits = data.slice(0, 9);
  return /^\d{9}$/.test(digits) ? digits : null;
}

/** Up to 17 characters; blanks inside belong to the number as that bank writes it. */
function account(data: string): string | null {
  const number = data.slice(0, 17).trim();
  return number === '' ? null : number;
}

function savings(code: string): boolean | null {
  if (/^2[1-9]$/.test(code)) return false;
  return /^3[1-9]$/.test(code) ? true : null;
}

/** The kind is the last two digits, wherever the bank pads. */
function numberAndKind(data: string): Partial<ChangedDetails> {
  const text = data.trimEnd();
  const kind = text.slice(-2);
  return savings(kind) === null ? { account: account(text) }
    : { account: account(text.slice(0, -2)), savings: savings(kind) };
}
