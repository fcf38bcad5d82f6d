/** Contact, terms and privacy of the public pages. Pure. */
import { addressLines } from '#kernel/address/address-lines.ts';
import type { Market } from '#kernel/licensing/public-market.ts';
import { spellIn } from '#kernel/text/english.ts';
import { html, type Markup } from '#server/html.ts';
import { documentOf } from './layout.server.ts';

export interface Office {
  legal_entity_name: string;
  address: Record<string, string>;
  home_country: string;
}

interface HousePage { market: Market | null; canonical: string }

export function contactPage({ market, canonical, offices, email }: HousePage & { offices: readonly Office[];
  email: string | null }): string {
  return documentOf({ title: 'Contact · Grand Rights', market, canonical,
    description: 'Offices of Grand Rights in New York, Dublin and London.',
    body: html`<h1>Contact</h1>${email !== null && html`<p class="lead"><a href="mailto:${email}">${email}</a></p>`}
<ul class="offices">${offices.map((office) => html`<li class="panel"><h2>${office.legal_entity_name}</h2>
<address>${addressLines(office.address, '').map((line) => html`${line}<br>`)}</address></li>`)}</ul>` });
}

const paragraphs = (texts: readonly (readonly [head: string, text: string])[]): Markup[] =>
  texts.map(([head, text]) => html`<section><h2>${head}</h2><p>${text}</p></section>`);

export function termsPage({ market, canonical }: HousePage): string {
  const say = spellIn(market?.language ?? 'en-US');
  return documentOf({ title: 'Terms · Grand Rights', market, canonical,
    description: say`Terms of the public catalog of Grand Rights.`,
    body: html`<h1>Terms</h1><p class="note">Draft for review by counsel.</p>${paragraphs([
      [say`The catalog`, say`The catalog tells about plays and musicals. It grants no right to perform them: every
        performance needs a license that we have signed.`],
      ['Dates', say`An answer about dates is given at the moment of the question and holds nothing. Dates are held by an
        offer that we have sent.`],
      ['Estimates', say`An estimate is computed from the figures that you enter and from the rates of the day. It is not
        an offer. Tax and shipping are added where they apply.`],
      ['Texts and pictures', say`Texts and pictures of the catalog belong to us or to those who license them to us.`],
    ])}` });
}

export function privacyPage({ market, canonical }: HousePage): string {
  const say = spellIn(market?.language ?? 'en-US');
  return documentOf({ title: 'Privacy · Grand Rights', market, canonical,
    description: say`Data that the public catalog of Grand Rights uses.`,
    body: html`<h1>Privacy</h1><p class="note">Draft for review by counsel.</p>${paragraphs([
      ['No cookies', say`The public pages set no cookie and load nothing from other companies. The country stands in the
        address of the page.`],
      ['Questions', say`Questions about dates and prices are answered and not stored. To keep the service usable we
        count questions by IP address; the counts are removed after a short time.`],
      ['Accounts', say`If you sign in or ask for an account, one cookie keeps you signed in, and we store the data that
        you enter in order to license shows to you.`],
    ])}` });
}
