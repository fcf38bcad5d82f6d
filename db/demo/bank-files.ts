/** Files of a bank as it sends them, written from lines: OFX, CAMT.053, MT940, and the CSV of a British bank. */
import { formatMinor } from '#kernel/money/money.ts';

export interface FileLine {
  id: string;
  on: string;
  /** Positive: money in. */
  minor: number;
  name: string;
  memo: string;
}

export interface FileStatement {
  account: string;
  isIban: boolean;
  currency: string;
  number: string;
  from: string;
  to: string;
  opening: number;
  closing: number;
  lines: readonly FileLine[];
}

const unsigned = (minor: number): string => formatMinor(BigInt(Math.abs(minor))).replaceAll(',', '');
const plain = (minor: number): string => `${minor < 0 ? '-' : ''}${unsigned(minor)}`;
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const compact = (day: string): string => day.replaceAll('-', '');

function ofxFile(of: FileStatement): string {
  const lines = of.lines.map((line) => `<STMTTRN><TRNTYPE>${line.minor < 0 ? 'DEBIT' : 'CREDIT'}`
    + `<DTPOSTED>${compact(line.on)}<TRNAMT>${plain(line.minor)}<FITID>${line.id}<NAME>${escape(line.name)}`
    + `<MEMO>${escape(line.memo)}</STMTTRN>`);
  return `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>`
    + `<STMTRS><CURDEF>${of.currency}<BANKACCTFROM><BANKID>123456780<ACCTID>${of.account}<ACCTTYPE>CHECKING`
    + `</BANKACCTFROM><BANKTRANLIST><DTSTART>${compact(of.from)}<DTEND>${compact(of.to)}${lines.join('\n')}`
    + `</BANKTRANLIST><LEDGERBAL><BALAMT>${plain(of.closing)}<DTASOF>${compact(of.lines.at(-1)?.on ?? of.to)}`
    + '</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n';
}

const mark = (minor: number): string => (minor < 0 ? 'DBIT' : 'CRDT');

function balance(code: string, of: FileStatement, minor: number, on: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${of.currency}">${unsigned(minor)}</Amt>`
    + `<CdtDbtInd>${mark(minor)}</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`;
}

function entry(of: FileStatement, line: FileLine): string {
  const party = line.minor < 0 ? 'Cdtr' : 'Dbtr';
  return `<Ntry><Amt Ccy="${of.currency}">${unsigned(line.minor)}</Amt><CdtDbtInd>${mark(line.minor)}</CdtDbtInd>`
    + `<Sts>BOOK</Sts><BookgDt><Dt>${line.on}</Dt></BookgDt><AcctSvcrRef>${line.id}</AcctSvcrRef><NtryDtls><TxDtls>`
    + `<RltdPties><${party}><Nm>${escape(line.name)}</Nm></${party}></RltdPties>`
    + `<RmtInf><Ustrd>${escape(line.memo)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
}

function camtFile(of: FileStatement): string {
  const account = of.isIban ? `<IBAN>${of.account}</IBAN>` : `<Othr><Id>${of.account}</Id></Othr>`;
  return '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">'
    + `<BkToCstmrStmt><GrpHdr><MsgId>${of.number}</MsgId></GrpHdr><Stmt><Id>${of.number}</Id>`
    + `<FrToDt><FrDtTm>${of.from}T00:00:00</FrDtTm><ToDtTm>${of.to}T23:59:59</ToDtTm></FrToDt>`
    + `<Acct><Id>${account}</Id><Ccy>${of.currency}</Ccy></Acct>${balance('OPBD', of, of.opening, of.from)}`
    + `${balance('CLBD', of, of.closing, of.to)}${of.lines.map((line) => entry(of, line)).join('\n')}`
    + '</Stmt></BkToCstmrStmt></Document>\n';
}

/** 1234.05 as MT940 writes it: a decimal comma and no sign. */
const comma = (minor: number): string => unsigned(minor).replace('.', ',');
const short = (day: string): string => compact(day).slice(2);
const side = (minor: number): string => (minor < 0 ? 'D' : 'C');

function mt940File(of: FileStatement): string {
  const lines = of.lines.map((line) => `:61:${short(line.on)}${compact(line.on).slice(4)}${side(line.minor)}`
    + `${comma(line.minor)}NTRFNONREF//${line.id}\n:86:/NAME/${line.name}/REMI/${line.memo}`);
  return `:20:STATEMENT\n:25:${of.account}\n:28C:${of.to.slice(0, 4)}/1\n`
    + `:60F:${side(of.opening)}${short(of.from)}${of.currency}${comma(of.opening)}\n${lines.join('\n')}\n`
    + `:62F:${side(of.closing)}${short(of.to)}${of.currency}${comma(of.closing)}\n-\n`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const british = (day: string): string => day.split('-').toReversed().join('/');

function csvFile(of: FileStatement): string {
  let balance = of.opening;
  const lines = of.lines.map((line) => {
    balance += line.minor;
    return [british(line.on), quoted(line.name), quoted(line.memo), line.id, plain(line.minor), plain(balance)]
      .join(',');
  });
  return `${['Date,Name,Description,Bank reference,Amount,Balance', ...lines].join('\n')}\n`;
}

/** Column mapping of {@link csvFile}; the account keeps it from the first import on. */
export const CSV_MAPPING = { header_row: 1, footer_rows: 0, date_order: 'dmy', decimal_mark: '.',
  amount: { kind: 'signed', amount: 'Amount', inverted: false },
  columns: { booked: 'Date', name: 'Name', memo: ['Description'], bank_id: 'Bank reference', balance: 'Balance' } };

const WRITERS: Readonly<Record<string, { ending: string; write: (of: FileStatement) => string }>> = {
  ofx: { ending: 'ofx', write: ofxFile }, camt: { ending: 'xml', write: camtFile },
  mt940: { ending: 'sta', write: mt940File }, csv: { ending: 'csv', write: csvFile },
};

/** A statement in the format that its account is set to. */
export function statementFile(format: string, of: FileStatement): { ending: string; content: Buffer } {
  const { ending, write } = WRITERS[format]!;
  return { ending, content: Buffer.from(write(of)) };
}
