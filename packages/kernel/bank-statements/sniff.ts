/** The format of a file by what it holds, never by its name. */
import { refused } from './bank-file.ts';

export type SniffedFormat = 'ofx' | 'qif' | 'camt' | 'mt940' | 'bai2' | 'sheet';

const HEAD = 65_536;

/** Message types of ISO 20022 that are sent to a bank, not by it. */
const OTHER_MESSAGE = /<(?:\w{1,20}:)?(?:CstmrCdtTrfInitn|CstmrDrctDbtInitn|CstmrPmtStsRpt|Document)\b/;

function refuseMarkup(head: string): never {
  const lower = head.slice(0, 4096).toLowerCase();
  if (/<(!doctype html|html|head|body|table)[\s>]/.test(lower)) {
    throw refused('file_web_page', 'This is a web page saved under another name.');
  }
  const message = /(pain|pacs|acmt|camt)\.\d{3}\.\d{3}\.\d{2}/.exec(head)?.[0];
  if (message || OTHER_MESSAGE.test(head)) {
    throw refused('wrong_format', message
      ? `This is a message ${message}, not a bank statement.` : 'This ISO 20022 message is not a bank statement.');
  }
  throw refused('not_a_bank_file', 'This XML file is not a bank statement.');
}

/** Tells the format; 'sheet' is text in columns that needs a mapping. Refuses what is no statement. */
export function sniff(text: string): SniffedFormat {
  const head = text.slice(0, HEAD).trimStart();
  if (/^OFXHEADER\s*:/i.test(head) || /<\?OFX\b/i.test(head) || /^(?:<\?xml[^>]*>\s*)?<OFX>/i.test(head)
    || /<OFX>/i.test(head.slice(0, 4096))) return 'ofx';
  if (head.startsWith('<')) return /<(?:\w{1,20}:)?BkToCstmr(Stmt|AcctRpt|DbtCdtNtfctn)/.test(head) ? 'camt'
    : refuseMarkup(head);
  if (/^!(Type|Account|Option|Clear)\b/im.test(head)) return 'qif';
  if (/^01,[^,\r\n]*,[^,\r\n]*,/.test(head)) return 'bai2';
  if (/^\d\d,[^\r\n]*\/\s*$/m.test(head.slice(0, 1024)) && /^\d\d,/.test(head)) {
    throw refused('malformed', 'The file looks like BAI2 but does not begin with a header (record 01).', 1);
  }
  if (/^(\{1:|:(20|25P?|28C?|60[FM]|61|62[FM]|64|940):)/m.test(head)) return 'mt940';
  if (/^[^\r\n]*[,;\t|][^\r\n]*$/m.test(head) && !/^\s*[[{]/.test(head)) return 'sheet';
  throw refused('not_a_bank_file', 'This file is not a bank statement in a format that can be read.');
}
