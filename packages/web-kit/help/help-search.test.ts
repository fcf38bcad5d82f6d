/** Tests the help search: by title, by words of the body, by the current page. */
import { describe, expect, it } from 'vitest';
import { articlesOf, findArticles, type HelpArticle } from './help-search.ts';

const articles: HelpArticle[] = [
  { id: 'a', title: 'Find your way around', body: ['Sections that your rights open.'], pages: ['/admin'] },
  { id: 'b', title: 'Offset Account', body: ['The other side of a transaction.'], pages: ['/admin/accounting'] },
  { id: 'c', title: 'Apply', body: ['Choose a show.'], pages: ['/customer/*/shows'] },
];
const ids = (found: HelpArticle[]) => found.map((one) => one.id);

describe('help search', () => {
  it('finds titles first, also by initials, then words of the body in any order', () => {
    expect(ids(findArticles(articles, 'offset'))).toEqual(['b']);
    expect(ids(findArticles(articles, 'oa'))).toContain('b');
    expect(ids(findArticles(articles, 'side other'))).toEqual(['b']);
    expect(ids(findArticles(articles, 'zebra'))).toEqual([]);
    expect(ids(findArticles(articles, '  '))).toEqual([]);
  });
  it('offers what belongs to the page, the most particular first', () => {
    expect(ids(articlesOf(articles, '/admin/accounting/periods'))).toEqual(['b', 'a']);
    expect(ids(articlesOf(articles, '/admin/account'))).toEqual(['a']);
    expect(ids(articlesOf(articles, '/customer/7/shows/3'))).toEqual(['c']);
    expect(ids(articlesOf(articles, '/customer/7'))).toEqual([]);
  });
});
