/** Pages that lead to a title: the country, the catalog, and the answer to an address that leads nowhere. Pure. */
import { countryName, inCountry } from '#kernel/address/address-lines.ts';
import type { Market } from '#kernel/licensing/public-market.ts';
import { spellIn } from '#kernel/text/english.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { html, type Markup } from '#server/html.ts';
import type { Page } from '#server/list.ts';
import { documentOf, withCountry } from './layout.server.ts';
import type { PublicShowRow } from './public-show.contract.ts';
import { castWords, kindWords } from './show-words.ts';

/** Countries most visitors come from stand first, once more. */
const OFTEN = ['US', 'GB', 'IE', 'CA', 'AU'];

function countryForm(path: string, wrong: boolean): Markup {
  const option = (code: string, name: string): Markup => html`<option value="${code}">${name}</option>`;
  return html`<form class="panel" method="get" action="${path}">
<label for="country">Country of the performances</label>
<select id="country" name="country" required${wrong && html` aria-invalid="true" aria-describedby="country-error"`}>
<option value="">Choose a country</option>
<optgroup label="Most visited">${OFTEN.map((code) => option(code, countryName(code)))}</optgroup>
<optgroup label="All countries">${COUNTRIES.map(({ code, name }) => option(code, name))}</optgroup></select>
${wrong && html`<p class="error" id="country-error">Choose a country from the list</p>`}
<button type="submit">Go on</button></form>`;
}

export interface CountryQuestion {
  path: string;
  origin: string;
  /** A country was named that is none. */
  wrong: boolean;
  /** Title of the show that was asked for. */
  show?: string | undefined;
}

/** First of all: the country decides rights, currency and spelling. */
export function countryPage({ path, origin, wrong, show }: CountryQuestion): string {
  const title = show === undefined ? 'Plays and musicals to license' : `${show}: performance rights`;
  return documentOf({
    title: `${title} · Grand Rights`, market: null, canonical: `${origin}${path}`,
    description: 'Plays and musicals for schools and companies: choose the country of your performances.',
    body: html`<h1>${show === undefined ? 'Plays and musicals to license' : show}</h1>
<p class="lead">Rights, currency and terms depend on the country of your performances.</p>${countryForm(path, wrong)}`,
  });
}

export interface CatalogPage {
  market: Market;
  origin: string;
  page: Page<PublicShowRow>;
  search: string;
  type: string;
  alternates: readonly { lang: string; href: string }[];
  canonical: string;
}

function card(row: PublicShowRow, market: Market): Markup {
  const facts = [kindWords(row.type), castWords(row)].filter((fact) => fact !== null).join(' · ');
  return html`<li class="card">${row.image_url === null
    ? html`<span class="poster" aria-hidden="true">${row.title.slice(0, 1)}</span>`
    : html`<img src="${row.image_url}" alt="" loading="lazy" width="72" height="96">`}
<div><h2><a href="${withCountry(`/shows/${row.show_code}`, market)}">${row.title}</a></h2>
<p class="credit">${row.authors_credit}</p><p>${row.synopsis}</p><p class="facts">${facts}</p></div></li>`;
}

function filterForm({ market, search, type }: CatalogPage): Markup {
  const option = (value: string, words: string): Markup =>
    html`<option value="${value}"${value === type && html` selected`}>${words}</option>`;
  return html`<form class="filters" method="get" action="/shows" role="search">
<input type="hidden" name="country" value="${market.country}">
<p><label for="search">Title or author</label><input id="search" name="search" type="search" value="${search}"
 maxlength="200"></p>
<p><label for="type">Kind</label><select id="type" name="type">${option('', 'Plays and musicals')}${
  option('play', 'Plays')}${option('musical', 'Musicals')}</select></p>
<button type="submit">Find shows</button></form>`;
}

function steps({ page: { meta }, market, search, type }: CatalogPage): Markup | null {
  if (meta.last_page === 1) return null;
  const at = (page: number): string => `/shows?${new URLSearchParams({ country: market.country,
    ...(search === '' ? {} : { search }), ...(type === '' ? {} : { type }), page: String(page) }).toString()}`;
  return html`<nav class="steps" aria-label="Pages">${
    meta.current_page > 1 && html`<a rel="prev" href="${at(meta.current_page - 1)}">Previous page</a>`}
<span>Page ${meta.current_page} of ${meta.last_page}</span>${
  meta.current_page < meta.last_page && html`<a rel="next" href="${at(meta.current_page + 1)}">Next page</a>`}</nav>`;
}

export function catalogPage(given: CatalogPage): string {
  const { market, page, search, type, canonical, alternates } = given;
  const say = spellIn(market.language);
  const country = inCountry(market.country);
  const filtered = search !== '' || type !== '';
  return documentOf({
    title: say`Shows to license in ${country} · Grand Rights`, market, alternates,
    canonical: filtered || page.meta.current_page > 1 ? null : canonical,
    description: say`Plays and musicals that theaters, schools and companies can license in ${country}.`,
    body: html`<h1>${say`Shows to license in ${country}`}</h1>${filterForm(given)}
${page.data.length === 0
  ? html`<p class="empty">No show found. <a href="${withCountry('/shows', market)}">Show all</a></p>`
  : html`<ul class="cards">${page.data.map((row) => card(row, market))}</ul>`}${steps(given)}`,
  });
}

export function notFoundPage(market: Market | null): string {
  return documentOf({ title: 'Page not found · Grand Rights', description: 'Page not found', market, canonical: null,
    body: html`<h1>Page not found</h1>
<p class="lead">We do not offer this show in your country, or the address is wrong.</p>
<p><a class="button" href="${withCountry('/shows', market)}">See all shows</a></p>` });
}
