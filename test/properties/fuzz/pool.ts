import type { Random } from '../../support/random.ts';

/** Maximum number of values stored per name. The oldest value is discarded first. */
const kept = 40;

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns the last path segment, which is the token in page URLs. */
const lastPart = (address: string): string => address.split(/[?#]/)[0]?.split('/').at(-1) ?? '';

/** Values from earlier responses to a tenant: IDs by object type, and references, codes, and tokens by field name. */
export class Pool {
  readonly #byName = new Map<string, string[]>();

  #add(name: string, value: string): void {
    if (value === '' || value.length > 500) return;
    const values = this.#byName.get(name) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > kept) values.shift();
    this.#byName.set(name, values);
  }

  /** Stores the values in a response that contains an object of the given schema type, such as `Customer`. */
  learn(type: string, answer: unknown, depth = 0): void {
    if (typeof answer !== 'object' || answer === null || depth > 6) return;
    if (Array.isArray(answer)) {
      for (const item of answer.slice(0, 10)) this.learn(type, item, depth);
      return;
    }
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value !== 'string') {
        const isWrapper = ['data', 'edges', 'node', 'successful'].includes(name);
        this.learn(
          isWrapper ? type : name.charAt(0).toUpperCase() + name.slice(1).replace(/s$/, ''),
          value,
          depth + 1,
        );
      } else if (name === 'id') this.#add(`${lower(type)}Id`, value);
      else if (name === 'code') this.#add(`${lower(type)}Code`, value);
      else if (/Url$|^url$/.test(name) && value.includes('/')) this.#add('token', lastPart(value));
      else if (/(Id|Code|[Cc]ursor|[Tt]oken|slug)$/.test(name)) this.#add(name, value);
    }
  }

  /**
   * Returns a value for a root field's input, such as `customerId`, or `id` for `customerUpdate`. `null` if no response contained a
   * matching value.
   */
  valueFor(random: Random, field: string, input: string): string | null {
    const names = [...this.#byName.keys()];
    const owned = (suffix: string) =>
      names
        .filter((name) => name.endsWith(suffix) && field.startsWith(name.slice(0, -suffix.length)))
        .toSorted((a, b) => b.length - a.length)[0];
    const name =
      input === 'id'
        ? owned('Id')
        : input === 'code'
          ? owned('Code')
          : input === 'after' || input === 'cursor'
            ? names.find((known) => /cursor$/i.test(known))
            : (names.find((known) => known === input) ??
              names.find((known) => input.toLowerCase().endsWith(known.toLowerCase())));
    const values = name === undefined ? undefined : this.#byName.get(name);
    return values === undefined ? null : random.pick(values);
  }
}
