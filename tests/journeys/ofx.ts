/** Statements of a bank for the journeys, in OFX. */
// cspell:ignore OFXHEADER BANKMSGSRSV STMTTRNRS STMTRS CURDEF BANKACCTFROM ACCTID BANKTRANLIST STMTTRN DTPOSTED
// cspell:ignore TRNAMT FITID LEDGERBAL BALAMT DTASOF
export const money = (minor: number): string => (minor / 100).toFixed(2);

export interface Line { minor: number; name: string }

/** A statement in USD whose lines are all of one day; it closes with their sum and what was there before. */
export function ofx({ day, key, lines, account = '1', opening = 0 }: { day: string; key: string;
  lines: readonly Line[]; account?: string; opening?: number }): Buffer {
  const compact = day.replaceAll('-', '');
  const rows = lines.map(({ minor, name }, at) =>
    `<STMTTRN><DTPOSTED>${compact}<TRNAMT>${money(minor)}<FITID>${key}-${at}<NAME>${name.replaceAll('&', '&amp;')}`
      + '</STMTTRN>').join('');
  const sum = money(lines.reduce((all, { minor }) => all + minor, opening));
  return Buffer.from(`OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>${account
  }</BANKACCTFROM><BANKTRANLIST>${rows}</BANKTRANLIST><LEDGERBAL><BALAMT>${sum}<DTASOF>${compact}</LEDGERBAL>`
    + '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>');
}
