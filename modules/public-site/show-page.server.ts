/** Page of one title: facts, pictures, the question about dates, the estimate, the way to apply. Pure. */
import { inCountry } from '#kernel/address/address-lines.ts';
import type { Market } from '#kernel/licensing/public-market.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { FieldErrors } from '#kit/errors.ts';
import { html, type Markup } from '#server/html.ts';
import { documentOf, withCountry } from './layout.server.ts';
import { MOST_PERFORMANCES, type DatesAnswer, type EstimateAnswer, type PublicShow } from './public-show.contract.ts';
import { kindWords, showFacts } from './show-words.ts';

/** Fields of a question as they were typed, its answer, or what is wrong with them. */
export interface Question<Answer> {
  values: Readonly<Record<string, string>>;
  answer: Answer | null;
  errors: FieldErrors;
}

export interface ShowPage {
  show: PublicShow;
  market: Market;
  origin: string;
  canonical: string;
  alternates: readonly { lang: string; href: string }[];
  /** First day that can be asked for. */
  tomorrow: string;
  dates: Question<DatesAnswer>;
  estimate: Question<EstimateAnswer>;
  asked: boolean;
}

interface Input { label: string; type: string; more?: Markup; initial?: string; optional?: boolean }

function input(
  id: string, name: string, { label, type, more, initial = '', optional = false }: Input, given: Question<unknown>,
): Markup {
  const [error] = given.errors[name] ?? [];
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${given.values[name] ?? initial}"${
  !optional && html` required`}${more ?? null}${
  error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>
${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`}</div>`;
}

function kindField(id: string, given: Question<unknown>): Markup {
  const option = (value: string, words: string): Markup =>
    html`<option value="${value}"${given.values.category === value && html` selected`}>${words}</option>`;
  return html`<div class="field"><label for="${id}">Company</label><select id="${id}" name="category">${
    option('Amateur', 'Amateur or school')}${option('Pro', 'Professional')}</select></div>`;
}

const others = ({ errors }: Question<unknown>, known: readonly string[]): Markup[] =>
  Object.entries(errors).filter(([name]) => !known.includes(name))
    .map(([, [text]]) => html`<p class="error" role="alert">${text ?? ''}</p>`);

const ANSWERS: Readonly<Record<DatesAnswer['answer'], readonly [tone: string, word: string, text: string]>> = {
  free: ['ok', 'Free', 'Apply to hold these dates.'],
  ask_us: ['warn', 'Ask us', 'Apply and we will reply.'],
  not_available: ['err', 'Not available', 'Try other dates.'],
};

/** Hidden fields of the other form: its answer stays on the page. */
const carried = (names: readonly string[], { values }: Question<unknown>): Markup[] => names.map((name) =>
  html`<input type="hidden" name="${name}" value="${values[name] ?? ''}">`);
const OF_DATES = ['from', 'to', 'postal_code'];
const SECOND_PRICE = ['seats_2', 'price_2'];
const OF_ESTIMATE = ['seats', 'price', ...SECOND_PRICE, 'performances'];

function datesSection({ show, market, dates, tomorrow }: ShowPage): Markup {
  const answer = dates.answer && ANSWERS[dates.answer.answer];
  const day = html` min="${tomorrow}"`;
  return html`<section class="panel" id="dates"><h2>Dates</h2>
<form method="get" action="/shows/${show.show_code}#dates">
<input type="hidden" name="country" value="${market.country}"><input type="hidden" name="ask" value="dates">
${carried(OF_ESTIMATE, dates)}
${input('dates-from', 'from', { label: 'First performance', type: 'date', more: day }, dates)}
${input('dates-to', 'to', { label: 'Last performance', type: 'date', more: day }, dates)}
${input('dates-place', 'postal_code', { type: 'text', more: html` maxlength="12"`,
    label: market.country === 'US' ? spellIn(market.language)`ZIP code of the venue` : 'Postal code of the venue' },
  dates)}
${kindField('dates-kind', dates)}<button type="submit">Check dates</button></form>
${others(dates, OF_DATES)}
${answer && html`<p class="verdict ${answer[0]}" role="status"><strong>${answer[1]}</strong>
${answer[2]}</p>`}</section>`;
}

/** The same markup that estimate.js builds. */
export function estimateResult(answer: EstimateAnswer): Markup {
  if (!answer.priced) return html`<p>${answer.message}</p>`;
  const money = (minor: number): string => formatMoney(minor, answer.currency);
  return html`<table><tbody>${answer.rows.map(({ label, amount_minor }) =>
    html`<tr><th scope="row">${label}</th><td>${money(amount_minor)}</td></tr>`)}
<tr class="sum"><th scope="row">Before tax</th><td>${money(answer.net_minor)}</td></tr></tbody></table>
${answer.promise && html`<p><strong>${answer.promise.headline}</strong></p><dl>${answer.promise.facts.map((fact) =>
    html`<dt>${fact.label}</dt><dd>${fact.text}</dd>`)}</dl>`}`;
}

function estimateSection({ show, market, estimate }: ShowPage): Markup {
  const number = (most: number): Markup => html` min="1" max="${most}" inputmode="numeric"`;
  const price = html` min="0" max="9999.99" step="0.01" inputmode="decimal"`;
  const isOpen = SECOND_PRICE.some((name) => estimate.values[name] || estimate.errors[name]);
  return html`<section class="panel" id="estimate"><h2>Price estimate</h2>
<form method="get" action="/shows/${show.show_code}#estimate"
 data-estimate="/api/public/shows/${show.show_code}/estimate">
<input type="hidden" name="country" value="${market.country}"><input type="hidden" name="ask" value="estimate">
${carried(OF_DATES, estimate)}
${input('estimate-seats', 'seats', { label: 'Seats', type: 'number', more: number(20_000) }, estimate)}
${input('estimate-price', 'price', { label: `Average ticket (${show.currency})`, type: 'number', more: price },
    estimate)}
<details${isOpen && html` open`}><summary>Two prices</summary>
<p class="note">Enter the seats at the first price above, those at the second price here.</p>
${input('estimate-seats-2', 'seats_2', { label: 'Seats at the second price', type: 'number', more: number(20_000),
    optional: true }, estimate)}
${input('estimate-price-2', 'price_2', { label: `Second price (${show.currency})`, type: 'number', more: price,
    optional: true }, estimate)}</details>
${input('estimate-performances', 'performances', { label: 'Performances', type: 'number',
    more: number(MOST_PERFORMANCES) }, estimate)}
${kindField('estimate-kind', estimate)}<button type="submit">Estimate the price</button></form>
${others(estimate, OF_ESTIMATE)}
<div class="result" role="status" data-result>${estimate.answer && estimateResult(estimate.answer)}</div>
<p class="note">An estimate, not an offer. It assumes the ${
    market.language === 'en-US' ? 'rental' : 'hire'} of the package of materials.</p></section>`;
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter((line) => line !== '');

/** Texts of the house, a paragraph for each line; a script keeps its lines. */
function texts({ content_notes, songs, versions, excerpt }: PublicShow): Markup {
  const section = (head: string, body: Markup): Markup => html`<section><h2>${head}</h2>${body}</section>`;
  const list = (text: string): Markup => html`<ul>${linesOf(text).map((line) => html`<li>${line}</li>`)}</ul>`;
  return html`${content_notes !== ''
    && section('Content notes', html`${linesOf(content_notes).map((line) => html`<p>${line}</p>`)}`)}
${songs !== '' && section('Songs', list(songs))}${versions !== '' && section('Versions', list(versions))}
${excerpt !== '' && section('Excerpt', html`<details><summary>Read the excerpt</summary>
<div class="excerpt">${excerpt}</div></details>`)}`;
}

/** A wide picture looks best beside a shared link; else the first one. */
const shareImage = ({ images }: PublicShow): string | null =>
  (images.find(({ width, height }) => width >= 600 && width > height * 1.5) ?? images[0])?.url ?? null;

function samples({ samples: all }: PublicShow): Markup | null {
  if (all.length === 0) return null;
  return html`<section><h2>Audio samples</h2><ul class="samples">${all.map(({ url, title }) => html`<li><p>${title}</p>
<audio controls preload="none" src="${url}" aria-label="${title}"></audio></li>`)}</ul></section>`;
}

/** schema.org: a play is a CreativeWork; a musical is one that is played, too. */
function structured({ show, market, canonical, origin }: ShowPage): unknown {
  return { '@context': 'https://schema.org', '@type': 'Play', name: show.title, url: canonical,
    genre: kindWords(show.type), inLanguage: market.language,
    ...(show.synopsis === '' ? {} : { abstract: show.synopsis }),
    ...(show.authors_credit === '' ? {} : { creditText: show.authors_credit }),
    ...(show.year === null ? {} : { dateCreated: String(show.year) }),
    ...(show.images.length === 0 ? {} : { image: show.images.map((image) => `${origin}${image.url}`) }),
    ...(show.age_rating === '' ? {} : { contentRating: show.age_rating }),
    publisher: { '@type': 'Corporation', name: 'Grand Rights', url: `${origin}/shows` } };
}

export function showPage(page: ShowPage): string {
  const { show, market, origin } = page;
  const say = spellIn(market.language);
  const country = inCountry(market.country);
  const shared = shareImage(show);
  return documentOf({
    title: `${show.title}: perform it in ${country} · Grand Rights`, market, alternates: page.alternates,
    canonical: page.asked ? null : page.canonical, script: true, data: structured(page),
    image: shared && `${origin}${shared}`,
    description: [show.synopsis, show.authors_credit].filter((part) => part !== '').join(' ').slice(0, 300)
      || say`Performance rights of ${show.title}`,
    body: html`<p class="back"><a href="${withCountry('/shows', market)}">All shows</a></p>
<div class="title"><h1>${show.title}</h1><p class="lead">${show.authors_credit}</p>
<a class="button" href="${withCountry(`/apply/${show.show_code}`, market)}">Apply</a></div>
<div class="columns"><div>
${show.synopsis !== '' && html`<section><h2>Synopsis</h2><p>${show.synopsis}</p></section>`}
<section><h2>Facts</h2><dl>${showFacts(show, market).map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`)}
${show.territory !== '' && html`<dt>Territory</dt><dd>${show.territory}</dd>`}</dl>
<p class="note">${say`We license performances in ${country}.`}</p></section>
${texts(show)}${samples(show)}
${show.images.length > 0 && html`<section><h2>Pictures</h2><ul class="pictures">${show.images.map((image) =>
    html`<li><figure><img src="${image.url}" alt="${image.caption || show.title}" width="${image.width}"
 height="${image.height}" loading="lazy"><figcaption>${image.caption}</figcaption></figure></li>`)}</ul></section>`}
</div><div>${datesSection(page)}${estimateSection(page)}</div></div>`,
  });
}
