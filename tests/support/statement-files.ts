/** Statements as three banks send them: CAMT.053, BAI2 and CSV with the day first and a decimal comma. */
// cspell:ignore Ntry CRDT DBIT Prtry Bookg Svcr Addtl Cstmr OPBD CLBD BANKUS Stmt Acct Othr
export interface StatementLine { on: string; minor: number; text: string }
export interface StatementInput { account: string; currency: string; from: string; to: string; opening_minor: number;
  lines: readonly StatementLine[] }

const money = (minor: number): string => (Math.abs(minor) / 100).toFixed(2);
const mark = (minor: number): string => (minor < 0 ? 'DBIT' : 'CRDT');
const sum = (lines: readonly StatementLine[]): number => lines.reduce((all, { minor }) => all + minor, 0);
export const closingOf = ({ opening_minor, lines }: StatementInput): number => opening_minor + sum(lines);

export function camtFile(of: StatementInput): Buffer {
  const balance = (code: string, minor: number, on: string): string => '<Bal><Tp><CdOrPrtry>'
    + `<Cd>${code}</Cd></CdOrPrtry>`
    + `</Tp><Amt Ccy="${of.currency}">${money(minor)}</Amt><CdtDbtInd>${mark(minor)}</CdtDbtInd><Dt><Dt>${on}</Dt></Dt>`
    + '</Bal>';
  const entries = of.lines.map(({ on, minor, text }, at) => `<Ntry><Amt Ccy="${of.currency}">${money(minor)}</Amt>`
    + `<CdtDbtInd>${mark(minor)}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${on}</Dt></BookgDt>`
    + `<AcctSvcrRef>C${at}</AcctSvcrRef><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`).join('');
  return Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n'
    + '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>'
    + '<GrpHdr><MsgId>M1</MsgId></GrpHdr>'
    + `<Stmt><Id>11</Id><Acct><Id><Othr><Id>${of.account}</Id></Othr></Id><Ccy>${of.currency}</Ccy></Acct>`
    + `${balance('OPBD', of.opening_minor, of.from)}${balance('CLBD', closingOf(of), of.to)}${entries}`
    + '</Stmt></BkToCstmrStmt></Document>');
}

/** One group of the day of the statement; each line names its own day as its value day. */
export function bai2File(of: StatementInput): Buffer {
  const compact = (day: string): string => day.slice(2).replaceAll('-', '');
  const days = [...new Set(of.lines.map(({ on }) => on))].toSorted();
  let opening = of.opening_minor;
  const records = [`01,BANKUS33,1,${compact(of.to)},0600,1,,,2/`];
  let total = 0;
  for (const day of days) {
    const lines = of.lines.filter(({ on }) => on === day);
    const closing = opening + sum(lines);
    const control = opening + closing + lines.reduce((all, { minor }) => all + Math.abs(minor), 0);
    records.push(`02,1,BANKUS33,1,${compact(day)},,${of.currency},2/`,
      `03,${of.account},,010,${opening},,,015,${closing},,/`,
      ...lines.map(({ minor, text }, at) => `16,${minor < 0 ? 475 : 195},${Math.abs(minor)},Z,B${compact(day)}${at},,${
        text}`), `49,${control},${lines.length + 2}/`, `98,${control},1,${lines.length + 4}/`);
    total += control;
    opening = closing;
  }
  records.push(`99,${total},${days.length},${records.length + 1}/`);
  return Buffer.from(records.join('\n'));
}

export function csvFile(of: StatementInput): Buffer {
  const amount = (minor: number): string => `${minor < 0 ? '-' : ''}${money(minor).replace('.', ',')}`;
  let balance = of.opening_minor;
  const rows = of.lines.map(({ on, minor, text }) => {
    balance += minor;
    return `${on.split('-').toReversed().join('.')};${text};${amount(minor)};${amount(balance)}`;
  });
  return Buffer.from(`Booking date;Text;Amount;Balance\r\n${rows.join('\r\n')}\r\n`);
}
