import { describe, expect, it } from 'vitest';
import { htmlLetter, plainLetter, withNote, type Letter } from './mail-letter.ts';

const whole: Letter = {
  greeting: 'Ruth', paragraphs: ['Our offer is here.', 'It is open through\nDecember 3, 2026.', ''],
  link: { label: 'Read and sign the offer', href: 'https://house.example/customer/1?a=1&b=2' },
  after: ['If you did not expect this, you can ignore it.'],
  contact: { name: 'Eleanor Marsh', email: 'eleanor@house.example', phone: '+1 212 555 0100' },
};

describe('a mail', () => {
  it('greets, says what happened, links to the place and names whom to ask, in plain text', () => {
    expect(plainLetter(whole)).toBe(`Hello Ruth,

Our offer is here.

It is open through
December 3, 2026.

Read and sign the offer:
https://house.example/customer/1?a=1&b=2

If you did not expect this, you can ignore it.

Questions? Eleanor Marsh, +1 212 555 0100, eleanor@house.example

Grand Rights`);
  });

  it('says the same in HTML', () => {
    const words = htmlLetter(whole, 'An offer').replace(/<title>.*?<\/title>|<style>.*?<\/style>/g, '')
      .replace(/<br>|<\/p>/g, '\n').replace(/<[^>]+>/g, '').replaceAll('&amp;', '&');
    for (const word of plainLetter(whole).split(/\s+/)) expect(words).toContain(word.replace(/:$/, ''));
  });

  it('greets nobody by name where it does not know one, and not at all where the text does', () => {
    expect(plainLetter({ paragraphs: ['A'] })).toBe('Hello,\n\nA\n\nGrand Rights');
    expect(plainLetter({ greeting: null, paragraphs: ['Dear Ruth,'] })).toBe('Dear Ruth,\n\nGrand Rights');
  });

  it('lets no name or text become markup', () => {
    const html = htmlLetter({ greeting: '<b>"', paragraphs: ['<script>1</script> & more'],
      contact: { name: '<i>', email: 'a"b@x.example', phone: null } }, '</title><script>');
    expect(html).not.toMatch(/<script|<b>|<i>/);
    expect(html).toContain('&lt;script&gt;1&lt;/script&gt; &amp; more');
    expect(html).toContain('mailto:a&quot;b@x.example');
    expect(withNote(html, '$& <u>')).toContain('$&amp; &lt;u&gt;</p></body>');
  });

  it('links to the web alone', () => {
    expect(() => htmlLetter({ paragraphs: [], link: { label: 'x', href: 'javascript:alert(1)' } }, 's'))
      .toThrow('address of the web');
  });
});
