/**
 * A reader for the XML of ISO 20022: elements, text, attributes, CDATA. It declares and expands nothing, refuses a
 * DOCTYPE, and takes one pass over the text. Names come without their prefix.
 */
import { BankFileRefused, refused } from './bank-file.ts';
import { decodeEntities } from './entities.ts';
import { LineCounter, placeAt } from './file-text.ts';

export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
  line: number;
}

const MAX_DEPTH = 64;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NAME = /[A-Za-z_][\w.-]{0,127}(?::[A-Za-z_][\w.-]{0,127})?/y;
const ATTRIBUTE = /\s{1,64}([A-Za-z_][\w.:-]{0,127})\s{0,64}=\s{0,64}(?:"([^"<]{0,8192})"|'([^'<]{0,8192})')/y;

/** Takes an element that is complete; true when it need not stay in its parent. */
export type TakeElement = (element: XmlElement, parents: readonly XmlElement[]) => boolean;

/** Reads the whole text and answers its root. `take` sees every element when it closes. */
export function readXml(text: string, take: TakeElement): XmlElement {
  return new XmlReader(text, take).read();
}

class XmlReader {
  readonly #text: string;
  readonly #take: TakeElement;
  readonly #stack: XmlElement[] = [];
  readonly #lines: LineCounter;
  #root: XmlElement | null = null;
  #at = 0;

  constructor(text: string, take: TakeElement) {
    this.#text = text;
    this.#take = take;
    this.#lines = new LineCounter(text);
  }

  read(): XmlElement {
    const text = this.#text;
    while (this.#at < text.length) {
      const open = text.indexOf('<', this.#at);
      this.#characters(this.#at, open < 0 ? text.length : open);
      if (open < 0) break;
      this.#at = open;
      this.#markup();
    }
    const unclosed = this.#stack.at(-1);
    if (unclosed || !this.#root) {
      throw refused('truncated', unclosed ? `The file ends inside <${unclosed.name}>.` : 'The file holds no element.',
        placeAt(text, text.length));
    }
    return this.#root;
  }

  #fail(message: string): BankFileRefused {
    return refused('malformed', message, placeAt(this.#text, this.#at));
  }

  #cut(inside: string): BankFileRefused {
    return refused('truncated', `The file ends inside ${inside}.`, placeAt(this.#text, this.#text.length));
  }

  #characters(from: number, to: number): void {
    const raw = this.#text.slice(from, to);
    const parent = this.#stack.at(-1);
    if (parent) parent.text += decodeEntities(raw);
    else if (raw.trim() !== '') throw this.#fail('There is text outside of the elements.');
  }

  #markup(): void {
    const text = this.#text;
    const at = this.#at;
    if (text.startsWith('<!--', at)) this.#skip('-->', 4);
    else if (text.startsWith('<![CDATA[', at)) this.#cdata();
    else if (text.startsWith('<?', at)) this.#skip('?>', 2);
    else if (text.startsWith('<!', at)) {
      throw refused('doctype', 'The file declares a document type of its own, which no statement needs.',
        placeAt(text, at));
    } else if (text[at + 1] === '/') this.#close();
    else this.#open();
  }

  #skip(end: string, length: number): void {
    const found = this.#text.indexOf(end, this.#at + length);
    if (found < 0) throw this.#cut('a comment');
    this.#at = found + end.length;
  }

  #cdata(): void {
    const from = this.#at + 9;
    const end = this.#text.indexOf(']]>', from);
    if (end < 0) throw this.#cut('a text');
    const parent = this.#stack.at(-1);
    if (!parent) throw this.#fail('There is text outside of the elements.');
    parent.text += this.#text.slice(from, end);
    this.#at = end + 3;
  }

  #name(from: number): string {
    NAME.lastIndex = from;
    const name = NAME.exec(this.#text)?.[0];
    if (name !== undefined) return name;
    if (from + 1 >= this.#text.length) {
      throw this.#cut('a tag');
    }
    throw this.#fail('A tag has no name.');
  }

  #open(): void {
    const name = this.#name(this.#at + 1);
    if (this.#root && this.#stack.length === 0) throw this.#fail('There is a second document behind the first.');
    if (this.#stack.length >= MAX_DEPTH) {
      throw refused('too_deep', 'The elements are nested deeper than a statement can be.',
        placeAt(this.#text, this.#at));
    }
    const line = this.#lines.at(this.#at);
    let at = this.#at + 1 + name.length;
    let attributes: Map<string, string> | null = null;
    ATTRIBUTE.lastIndex = at;
    for (let match = ATTRIBUTE.exec(this.#text); match; match = ATTRIBUTE.exec(this.#text)) {
      attributes ??= new Map();
      attributes.set(match[1] ?? '', decodeEntities(match[2] ?? match[3] ?? ''));
      at = ATTRIBUTE.lastIndex;
    }
    while (/\s/.test(this.#text[at] ?? '')) at += 1;
    const closes = this.#text[at] === '/';
    if (this.#text[closes ? at + 1 : at] !== '>') {
      throw this.#text.indexOf('>', at) < 0 ? this.#cut('a tag') : this.#fail(`The tag <${name}> is not closed.`);
    }
    const element: XmlElement = { name: name.slice(name.indexOf(':') + 1), attributes: attributes ?? NO_ATTRIBUTES,
      children: [], text: '', line };
    this.#root ??= element;
    this.#at = at + (closes ? 2 : 1);
    if (closes) this.#finish(element);
    else this.#stack.push(element);
  }

  #close(): void {
    const end = this.#text.indexOf('>', this.#at);
    if (end < 0) throw this.#cut('a tag');
    const name = this.#name(this.#at + 2);
    const element = this.#stack.at(-1);
    if (element?.name !== name.slice(name.indexOf(':') + 1)) {
      throw this.#fail(element ? `</${name}> closes <${element.name}>.` : `</${name}> closes nothing.`);
    }
    if (this.#text.slice(this.#at + 2 + name.length,
      end).trim() !== '') throw this.#fail(`The tag </${name}> is not closed.`);
    this.#stack.pop();
    this.#at = end + 1;
    this.#finish(element);
  }

  #finish(element: XmlElement): void {
    if (this.#take(element, this.#stack)) return;
    this.#stack.at(-1)?.children.push(element);
  }
}

/** The first child of a name. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((one) => one.name === name);
}

/** The element at the end of a path of names: `at(entry, 'BookgDt', 'Dt')`. */
export function at(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((one, name) => child(one, name), element);
}

export function all(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((one) => one.name === name) ?? [];
}

/** The text at the end of a path, trimmed; '' where it is missing. */
export function textAt(element: XmlElement | undefined, ...path: string[]): string {
  return at(element, ...path)?.text.trim() ?? '';
}
