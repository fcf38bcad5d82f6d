/** Numbers with their noun, as a sentence needs them. */

const NUMBER = new Intl.NumberFormat('en-US');

/** `countOf(1, 'piece')` is '1 piece', `countOf(1200, 'piece')` '1,200 pieces', `countOf(2, 'person', 'people')`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}
