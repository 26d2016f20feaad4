import { createRequire } from 'node:module';
import type { Token } from '@messageformat/parser';

// Arguments and plural forms in ICU messages. Used to generate types and to check translations.

// The parser is loaded on first use, so that it doesn't slow down startup.
const require = createRequire(import.meta.url);

const partsIn = (message: string): readonly Token[] =>
  (require('@messageformat/parser') as typeof import('@messageformat/parser')).parse(message, {
    strict: true,
  });

export type ArgumentType = 'string' | 'number' | 'boolean';

/** Yields every token of a message, including tokens inside plural and select forms. */
function* partsOf(parts: readonly Token[]): Generator<Token> {
  for (const part of parts) {
    yield part;
    if ('cases' in part) for (const form of part.cases) yield* partsOf(form.tokens);
  }
}

function typeOf(part: Token): ArgumentType | null {
  switch (part.type) {
    case 'argument':
      return 'string';
    case 'plural':
    case 'selectordinal':
      return 'number';
    case 'select':
      return part.cases.every(({ key }) => ['true', 'false', 'other'].includes(key)) ? 'boolean' : 'string';
    case 'function':
      if (part.key === 'number') return 'number';
      throw new Error(`Messages format numbers only, not {${part.arg}, ${part.key}}: pass a formatted text.`);
    case 'content':
    case 'octothorpe':
      return null;
  }
}

/**
 * Returns a message's arguments with their types, sorted by name. Throws if an argument is used with two types, such as `{count}` and
 * `{count, plural, …}`.
 */
export function argumentsOf(message: string): ReadonlyMap<string, ArgumentType> {
  const found = new Map<string, ArgumentType>();
  for (const part of partsOf(partsIn(message))) {
    const type = typeOf(part);
    if (type === null || !('arg' in part)) continue;
    const known = found.get(part.arg);
    if (known !== undefined && known !== type)
      throw new Error(`The argument ${part.arg} is both ${known} and ${type}: ${message}`);
    found.set(part.arg, type);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the forms of each plural argument, such as `one` and `=0`, outermost first. */
export const pluralFormsOf = (
  message: string,
): readonly { readonly name: string; readonly forms: readonly string[] }[] =>
  [...partsOf(partsIn(message))].flatMap((part) =>
    part.type === 'plural' ? [{ name: part.arg, forms: part.cases.map(({ key }) => key) }] : [],
  );
