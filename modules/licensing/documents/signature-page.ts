/** The certificate page behind a signed contract: what was signed, by whom, when, from where. Pure. */
import { dateFor, timeFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage, type Language } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { PdfInput } from '#server/pdf.ts';

export interface SignedDocument {
  division: string;
  /** 'Contract', 'Addendum'. */
  document: string;
  number: string;
  offer_version: number;
  title: string;
  /** SHA-256 of the signed file. */
  sha256: string;
  licensee: { name: string; title: string; organization: string; at: Date; ip: string | null;
    /** In the portal: the name on the account. On paper: who recorded it, and the day on the paper. */
    account: string; method: 'portal' | 'wet'; signed_on: string };
  licensor: { name: string; title: string; organization: string; at: Date; issued_by: string };
  timezone: string;
}

/** 'November 25, 2026, 5:02:07 PM EST (2026-11-25 22:02:07 UTC)' */
export function momentIn(language: Language, timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit',
    day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const zone = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' }).formatToParts(at)
    .find((one) => one.type === 'timeZoneName')?.value ?? timeZone;
  const day = dateFor(language, `${part('year')}-${part('month')}-${part('day')}`);
  const utc = at.toISOString().slice(0, 19).replace('T', ' ');
  return `${day}, ${timeFor(language, `${part('hour')}:${part('minute')}`)} ${zone} (${utc} UTC)`;
}

/** Made at the instant of the signature: asked for twice, it is the same page. */
export function signaturePage(signed: SignedDocument): PdfInput {
  const language = documentLanguage(signed.division);
  const { licensee, licensor, timezone } = signed;
  const organization = spellIn(language)`Organization`;
  const paper = licensee.method === 'wet';
  const rows = (list: readonly (readonly [string, string])[]) => list.filter(([, text]) => text !== '');
  return {
    title: `Certificate of signature: ${signed.number}`, paper: 'signature_certificate', language,
    sender: [licensor.organization], recipient: [],
    footer: `${signed.number}, version ${signed.offer_version}, certificate of signature`, made_at: licensee.at,
    blocks: [
      { kind: 'title', text: 'Certificate of signature' },
      { kind: 'text', text: `This page belongs to the document before it and records its signatures. Together they are `
        + 'the executed copy, of which both parties hold identical files.' },
      { kind: 'heading', text: 'Document' },
      { kind: 'facts', rows: [['Document', `${signed.document} ${signed.number}, version ${signed.offer_version}`],
        ['Show', signed.title]] },
      { kind: 'text', text: `SHA-256 of the signed file: ${signed.sha256}` },
      { kind: 'heading', text: 'Signed for Licensee' },
      { kind: 'facts', rows: rows([['Name', licensee.name], ['Title', licensee.title],
        [organization, licensee.organization],
        ['Signature', paper ? 'On paper' : 'In the portal, by typing the name and accepting the document'],
        ['Date on paper', paper ? dateFor(language, licensee.signed_on) : ''],
        [paper ? 'Recorded at' : 'Signed at', momentIn(language, timezone, licensee.at)],
        [paper ? 'Recorded by' : 'Account', licensee.account], ['IP address', licensee.ip ?? '']]) },
      { kind: 'heading', text: 'Signed for Licensor' },
      { kind: 'facts', rows: rows([['Name', licensor.name], ['Title', licensor.title],
        [organization, licensor.organization], ['Signature', 'By issuing the document'],
        ['Signed at', momentIn(language, timezone, licensor.at)], ['Issued by', licensor.issued_by]]) },
    ],
  };
}
