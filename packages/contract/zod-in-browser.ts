/**
 * zod as the browser gets it (tools/browser-contracts.ts puts it in zod's place; docs/decisions/0020): a schema knows
 * what it is made of and checks nothing. The server checks every call and answers 422 at the fields; what screens read
 * of a schema is here: the names of an object (`shape`), the choices of an enum (`options`), the defaults (`parse`).
 *
 * A method that is not here is missing in the browser; zod-in-browser.test.ts reads every contract both ways.
 */
type Shape = Record<string, Schema>;
type Values = Record<string, unknown>;

class Schema {
  readonly shape: Shape;
  readonly options: readonly unknown[];
  readonly fallback: unknown;

  constructor(shape: Shape = {}, options: readonly unknown[] = [], fallback?: unknown) {
    this.shape = shape;
    this.options = options;
    this.fallback = fallback;
  }

  default(fallback: unknown): Schema {
    return new Schema({}, [], fallback);
  }

  extend(shape: Shape): Schema {
    return new Schema({ ...this.shape, ...shape });
  }

  pick(names: Values): Schema {
    return this.#only((name) => name in names);
  }

  omit(names: Values): Schema {
    return this.#only((name) => !(name in names));
  }

  /** The values with the defaults of those that are absent. */
  parse(values: Values): Values {
    const absent = Object.entries(this.shape)
      .filter(([name, { fallback }]) => fallback !== undefined && values[name] === undefined);
    return { ...values, ...Object.fromEntries(absent.map(([name, { fallback }]) => [name, fallback])) };
  }

  #only(wanted: (name: string) => boolean): Schema {
    return new Schema(Object.fromEntries(Object.entries(this.shape).filter(([name]) => wanted(name))));
  }
}

/** Methods that refine a value beyond its kind, for the server alone. */
const CHECKS = ['int', 'length', 'max', 'min', 'multipleOf', 'partial', 'refine', 'regex', 'superRefine',
  'toUpperCase', 'trim'] as const;
/** Wrappers of a schema that hide its names and choices. */
const AROUND = ['nullable', 'nullish', 'optional', 'pipe', 'transform'] as const;
function same<T>(this: T): T { return this; }
function around(this: Schema): Schema { return new Schema({}, [], this.fallback); }
Object.assign(Schema.prototype, Object.fromEntries([
  ...CHECKS.map((name) => [name, same]), ...AROUND.map((name) => [name, around])]));

const value = (): Schema => new Schema();

export { Schema as ZodObject };
export { value as array, value as boolean, value as email, value as int, value as literal, value as number,
  value as partialRecord, value as record, value as string, value as stringbool, value as union,
  value as unknown, value as url, value as uuid, value as null };
export const coerce = { number: value };
export const iso = { datetime: value };
const made = (shape: Shape): Schema => new Schema(shape);
export { made as object, made as strictObject };
/** Said in a `transform`, which only the server runs. */
export const NEVER = undefined;
const choice = (options: readonly unknown[]): Schema => new Schema({}, options);
export { choice as enum };
