/** Help articles and how they are found: the fuzzy tiers of SPEC.md 9 over title and body, else every word anywhere. */
import { matchSorter } from 'match-sorter';
import { foldName } from '#kernel/text/fold.ts';

/** SPEC.md 3: title and body; the body in paragraphs. */
export interface HelpArticle {
  id: string;
  title: string;
  body: readonly string[];
  /** Beginnings of the addresses that it helps with; a segment `*` is any one. */
  pages?: readonly string[];
}

/** Articles that answer `text`, the best first; an empty text finds none. */
export function findArticles(articles: readonly HelpArticle[], text: string): HelpArticle[] {
  const wanted = text.trim();
  if (wanted === '') return [];
  const titled = matchSorter([...articles], wanted, { keys: ['title'] });
  const words = foldName(wanted).split(' ');
  const told = articles.filter((article) => {
    const content = foldName(`${article.title} ${article.body.join(' ')}`);
    return !titled.includes(article) && words.every((word) => content.includes(word));
  });
  return [...titled, ...told];
}

// `start` may hold '*' for any one segment.
function beginsWith(path: string, start: string): boolean {
  const segments = path.split('/');
  return start.split('/').every((segment, at) => segment === '*' ? Boolean(segments[at]) : segment === segments[at]);
}

/** Articles of the page one is on, those of the most particular address first. */
export function articlesOf(articles: readonly HelpArticle[], path: string): HelpArticle[] {
  const reach = (article: HelpArticle) => Math.max(0, ...(article.pages ?? [])
    .filter((start) => beginsWith(path, start)).map((start) => start.split('/').length));
  return articles.filter((article) => reach(article) > 0).toSorted((a, b) => reach(b) - reach(a));
}
