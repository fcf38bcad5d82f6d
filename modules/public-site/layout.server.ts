/** Frame of a public page: head for search engines and shared links, navigation, footer. Pure. */
import { spellIn } from '#kernel/text/english.ts';
import type { Market } from '#kernel/licensing/public-market.ts';
import { html, jsonBlock, type HtmlValue, type Markup } from '#server/html.ts';

export interface PublicPage {
  title: string;
  description: string;
  /** Null before the country is known. */
  market: Market | null;
  /** Address of the page that search engines keep, absolute; null where they keep none. */
  canonical: string | null;
  /** The same page for readers of other divisions, by language tag. */
  alternates?: readonly { lang: string; href: string }[];
  /** Picture for shared links, absolute; where there is none, the house's own. */
  image?: string | null;
  /** JSON-LD. */
  data?: unknown;
  script?: boolean;
  body: Markup;
}

export const withCountry = (path: string, market: Market | null): string =>
  market === null ? path : `${path}${path.includes('?') ? '&' : '?'}country=${market.country}`;

const LANGUAGE_TAGS = { 'en-US': 'en_US', 'en-GB': 'en_GB' } as const;

function head(page: PublicPage): Markup {
  const { title, description, canonical } = page;
  const image = page.image ?? (canonical === null ? null : new URL('/public-site/share.png', canonical).href);
  return html`<head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="theme-color" content="#7d1c3f">
<title>${title}</title><meta name="description" content="${description}">
${canonical === null ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${canonical}">`}
${(page.alternates ?? []).map(({ lang, href }) => html`<link rel="alternate" hreflang="${lang}" href="${href}">`)}
<meta property="og:site_name" content="Grand Rights"><meta property="og:type" content="website">
<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
<meta property="og:locale" content="${LANGUAGE_TAGS[page.market?.language ?? 'en-US']}">
${canonical !== null && html`<meta property="og:url" content="${canonical}">`}
${image !== null && html`<meta property="og:image" content="${image}">`}
<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="/public-site/newsreader-display.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/public-site/site.css">
${page.data !== undefined && jsonBlock(page.data)}
${page.script === true && html`<script src="/public-site/estimate.js" defer></script>`}</head>`;
}

const link = (href: string, words: HtmlValue): Markup => html`<a href="${href}">${words}</a>`;

/** The whole document. */
export function documentOf(page: PublicPage): string {
  const { market } = page;
  const say = spellIn(market?.language ?? 'en-US');
  return html`<!doctype html>
<html lang="${market?.language ?? 'en-US'}">${head(page)}<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><a class="house" href="${withCountry('/shows', market)}">Grand Rights</a>
<nav aria-label="Main">${link(withCountry('/shows', market), 'Shows')}${
  link(withCountry('/contact', market), 'Contact')}${link('/login', 'Sign in')}</nav></header>
<main id="content">${page.body}</main>
<footer><nav aria-label="Legal">${link(withCountry('/terms', market), 'Terms')}${
  link(withCountry('/privacy', market), 'Privacy')}${link('/shows', 'Change country')}</nav>
<p>${say`Plays and musicals for theaters, schools and companies, licensed by Grand Rights.`}</p></footer>
</body></html>`.text;
}
