/** Documents print every script that one of our fonts has; what none has is named before a document goes out. */
// cspell:disable
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderPdf, type PdfInput } from './pdf.ts';
import { textOfPages } from './pdf-pages.ts';
import { refuseUnprintable } from './pdf-words.ts';

const paper = (text: string): PdfInput => ({ title: 'Offer', paper: 'label', language: 'en-GB', sender: ['House'],
  recipient: [], footer: 'Offer', made_at: new Date('2026-11-25T00:00:00Z'),
  blocks: [{ kind: 'title', text: 'Offer' }, { kind: 'facts', rows: [['Work', text]] }] });

const NAMES: Readonly<Record<string, string>> = {
  German: 'Die Räuber, Großes Haus', Polish: 'Łódź, Święto', Greek: 'Ορέστης', Cyrillic: 'Вишнёвый сад',
  Chinese: '歌剧院的魅影', 'traditional Chinese': '歌劇魅影', Japanese: 'オペラ座の怪人', Korean: '오페라의 유령',
  Hindi: 'मुग़ल-ए-आज़म श्रीकृष्ण', Bengali: 'রক্তকরবী', Gujarati: 'ગુજરાતી નાટક', Punjabi: 'ਪੰਜਾਬੀ ਨਾਟਕ',
  Odia: 'ଓଡ଼ିଆ ନାଟକ', Tamil: 'பொன்னியின் செல்வன்', Telugu: 'తెలుగు నాటకం', Kannada: 'ಕನ್ನಡ ನಾಟಕ',
  Malayalam: 'മലയാള നാടകം',
  Sinhala: 'සිංහල නාට්‍ය', Thai: 'โหมโรง เดอะมิวสิคัล', Khmer: 'ភាសាខ្មែរ',
};
const POPPLER = existsSync('/usr/bin/pdftotext');
const toText = (content: Buffer): string =>
  execFileSync('/usr/bin/pdftotext', ['-layout', '-', '-'], { input: content, encoding: 'utf8' });

describe('a document', () => {
  it.each(Object.entries(NAMES))('prints %s, to be read and copied', async (_script, text) => {
    await expect(refuseUnprintable([paper(text)], false)).resolves.toBeUndefined();
    const content = await renderPdf(paper(text));
    if (POPPLER) expect(toText(content)).toContain(text);
    else expect((await textOfPages(content)).join('')).toContain(text);
  });

  it.each([
    ['Arabic', 'مسرح القاهرة (القاعة الكبرى) 2027', ['مسرح', 'القاهرة', '2027']],
    ['Hebrew', 'תיאטרון הבימה, רחוב 12', ['תיאטרון', 'הבימה', '12']],
  ])('prints %s from right to left', async (_script, text, words) => {
    const [page = ''] = await textOfPages(await renderPdf(paper(text)));
    for (const word of words) expect(page.normalize('NFKC')).toContain(word);
  });

  it.skipIf(!POPPLER)('keeps an English line in its order where an Arabic name begins it', async () => {
    expect(toText(await renderPdf(paper('مسرح, Springfield')))).toMatch(/مسرح.*, Springfield/);
  });

  it('gives the same bytes for the same blocks, whatever was drawn before', async () => {
    const all = paper(Object.values(NAMES).join(', '));
    const first = await renderPdf(all);
    await renderPdf(paper('श्री क्षत्रिय 魅影'));
    expect((await renderPdf(all)).equals(first)).toBe(true);
  });

  it('breaks Chinese between words and never before a full stop', async () => {
    const sentence = '这是一个很长的句子，用来看看行在哪里断开，因为中文的单词之间没有空格。'.repeat(4);
    const [page = ''] = await textOfPages(await renderPdf(paper(sentence)));
    const lines = page.split('\n').filter((line) => /\p{Script=Han}/u.test(line));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).not.toMatch(/^[，。]/);
  });

  it('is refused where no font has a character, which is named, until that is accepted', async () => {
    await expect(refuseUnprintable([paper('Hamlet 🎭 by night')], false)).rejects.toMatchObject({
      code: 'document.unprintable', message: expect.stringMatching(/The character 🎭 in “Hamlet 🎭 by night”/) });
    await expect(refuseUnprintable([paper('Hamlet 🎭 by night')], true)).resolves.toBeUndefined();
  });
});
