/** Replies without the mail they answer, HTML as text. */
import { describe, expect, it } from 'vitest';
import { htmlAsText, REPLY_LINE, splitReply } from './mail-text.ts';

describe('the answer in a mail', () => {
  it('ends where the earlier mail begins, in the ways that mail programs mark it', () => {
    const marks = ['On Fri, Nov 27, 2026 at 4:05 PM Grand Rights <reply@x.example> wrote:\n> Hello',
      'On Fri, Nov 27, 2026 at 4:05 PM Grand Rights\n<reply+0123@x.example> wrote:\n\n> Hello',
      'On Friday Dana wrote:\n> Hello', '-----Original Message-----\nFrom: A', '> Hello\n> you',
      'From: Grand Rights <a@b.example>\nSent: Friday\nTo: Dana', `> ${REPLY_LINE}\n> Hello`, '-- \nDana Whitfield'];
    for (const mark of marks) {
      expect(splitReply(`Yes, Thursday is fine.\n\nDana\n\n${mark}`), mark).toMatchObject({
        reply: 'Yes, Thursday is fine.\n\nDana', quoted: expect.stringContaining(mark.split('\n')[0]!.trim()) });
    }
  });

  it('keeps a mail whole whose answer stands below or between the quoted lines', () => {
    const text = '> Which day?\nThursday.\n> And the room?\nThe gym.';
    expect(splitReply(text)).toEqual({ reply: text, quoted: '' });
  });

  it('takes a sentence for no quotation', () => {
    expect(splitReply('On Friday we wrote: nothing.\nFrom: what I hear, fine').quoted).toBe('');
  });

  it('reads long rows of quotes, spaces and open elements', () => {
    expect(splitReply(`${'>\n'.repeat(50_000)}x${' '.repeat(50_000)}x`).quoted).toBe('');
    expect(htmlAsText(`${'<a '.repeat(50_000)}${'<!-- '.repeat(50_000)}${'&'.repeat(50_000)}`)).toBe('');
  });
});

describe('HTML', () => {
  it('is text without elements, scripts, styles and comments', () => {
    expect(htmlAsText('<html><head><title>T</title><style>p{}</style></head><body><p>Hello&nbsp;<b>Dana</b> &amp; Tom'
      + '</p><script>alert(1)</script><!-- secret --><div>Caf&eacute; &#8364;5<br>Bye</div><img src=x onerror=y>'
      + '<a href="https://evil.example">here</a> 1 < 2</body></html>'))
      .toBe('Hello Dana & Tom\n\nCafé €5\nBye\nhere 1 < 2');
  });
});
