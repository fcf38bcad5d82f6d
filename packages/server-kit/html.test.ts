/** Values of a template never become markup. */
import { expect, it } from 'vitest';
import { html, jsonBlock } from './html.ts';

const HOSTILE = `<script>run('1')</script> & "x"`;

it('escapes every value, in content and in attributes of either kind of quote', () => {
  const made = html`<p title="${HOSTILE}" class='${HOSTILE}'>${HOSTILE}</p>${[HOSTILE, html`<b>${HOSTILE}</b>`]}`.text;
  expect(made).not.toMatch(/<script|'1'|"x"/);
  expect(made).toContain('<b>&lt;script&gt;run(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;</b>');
});

it('writes nothing for null and false, and zero as a figure', () => {
  expect(html`<p>${null}${false}${0}${[]}</p>`.text).toBe('<p>0</p>');
});

it('data of programs cannot end their element, and stays the same data', () => {
  const { text } = jsonBlock({ name: '</script><script>run(1)</script>\u2028' });
  expect(text.match(/<\/script>/g)).toHaveLength(1);
  const inner = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'));
  expect(JSON.parse(inner)).toEqual({ name: '</script><script>run(1)</script>\u2028' });
});
