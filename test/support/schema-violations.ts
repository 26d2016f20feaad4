import { type JsonSchema, resolved } from '../../src/rest/json-schema.ts';
import { Examples } from '../../src/rest/openapi-examples.ts';

/** Invalid value: the invalid field's path, the violated limit, and the complete input that contains the value. */
export type Violation = { readonly field: string; readonly limit: string; readonly value: unknown };

type Wrap = (value: unknown) => unknown;

/** Returns values for a scalar schema, each of which violates one limit. */
function broken(schema: JsonSchema): [limit: string, value: unknown][] {
  const { type, minLength, maxLength, minimum, maximum, exclusiveMinimum, pattern, format } =
    schema as Record<string, number | string | undefined>;
  const values: [string, unknown][] = [];
  if (schema['enum'] !== undefined) values.push(['enum', 'nonsense']);
  if (minLength !== undefined && Number(minLength) > 0)
    values.push(['minLength', 'x'.repeat(Number(minLength) - 1)]);
  if (maxLength !== undefined) values.push(['maxLength', 'x'.repeat(Number(maxLength) + 1)]);
  if (pattern !== undefined) values.push(['pattern', '\u2603']);
  if (format === 'email' || format === 'uri' || format === 'date-time')
    values.push([`format ${format}`, 'nonsense']);
  if (minimum !== undefined) values.push(['minimum', Number(minimum) - 1]);
  if (exclusiveMinimum !== undefined) values.push(['exclusiveMinimum', Number(exclusiveMinimum)]);
  if (maximum !== undefined) values.push(['maximum', Number(maximum) + 1]);
  const types = [type ?? []].flat();
  if (types.includes('integer')) values.push(['integer', 1.5], ['a safe integer', 2 ** 53]);
  if (types.includes('integer') || types.includes('number') || types.includes('boolean'))
    values.push(['type', 'nonsense']);
  if (types.includes('string'))
    values.push(
      ...(types.includes('number') ? [] : [['type', 1] satisfies [string, unknown]]),
      ['no null character', 'a\u0000b'],
      ['no half of a surrogate pair', 'a\ud83cb'],
    );
  return values;
}

/** Generates invalid values from the schemas of an OpenAPI document. */
export class Violations {
  readonly #components: Readonly<Record<string, JsonSchema>>;
  readonly #examples: Examples;

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
    this.#examples = new Examples(components);
  }

  /** Returns one violation for each limit in a schema and its nested schemas. */
  of(provided: JsonSchema, path = '', wrap: Wrap = (value) => value): Violation[] {
    const schema = resolved(this.#components, provided);
    const offend = (limit: string, value: unknown): Violation => ({ field: path, limit, value: wrap(value) });
    const alternatives = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined;
    if (alternatives !== undefined) return alternatives.flatMap((part) => this.of(part, path, wrap));
    const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    if (properties !== undefined) {
      const base = this.#examples.body(schema) as Record<string, unknown>;
      return [
        ...(path === '' ? [] : [offend('type', 'nonsense')]),
        { field: at('nonsense'), limit: 'unknown member', value: wrap({ ...base, nonsense: 1 }) },
        ...Object.entries(properties).flatMap(([name, member]) =>
          member['const'] === undefined
            ? this.of(member, at(name), (value) => wrap({ ...base, [name]: value }))
            : [],
        ),
      ];
    }
    const items = schema['items'] as JsonSchema | undefined;
    if (items === undefined) return broken(schema).map(([limit, value]) => offend(limit, value));
    const { minItems = 0, maxItems } = schema as { minItems?: number; maxItems?: number };
    const example = this.#examples.body(items);
    return [
      offend('type', 'nonsense'),
      ...(minItems > 0
        ? [
            offend(
              'minItems',
              Array.from({ length: minItems - 1 }, () => example),
            ),
          ]
        : []),
      ...(maxItems === undefined
        ? []
        : [
            offend(
              'maxItems',
              Array.from({ length: maxItems + 1 }, () => example),
            ),
          ]),
      ...this.of(items, `${path}.0`, (value) =>
        wrap([value, ...Array.from({ length: Math.max(0, minItems - 1) }, () => example)]),
      ),
    ];
  }
}
