import { type Field, resourceShape, type Shape, valuesOf } from './contract.ts';

// Converts the contract and the product's OpenAPI document to type signatures that can be compared.

/**
 * Type signature of a value. `members` is set for objects, `items` for lists and maps, and `variants` for unions. Otherwise, these fields
 * are null.
 */
export type Signature = {
  readonly type: string;
  readonly isNullable: boolean;
  readonly words: readonly string[] | null;
  readonly format: string | null;
  readonly bounds: Readonly<Record<string, unknown>>;
  readonly members: Readonly<Record<string, Member>> | null;
  readonly items: Signature | null;
  readonly variants: readonly Signature[] | null;
};

export type Member = { readonly isRequired: boolean; readonly signature: Signature };

type JsonSchema = { readonly [keyword: string]: unknown };

const boundNames = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'minItems',
  'maxItems',
] as const;

/** Returns the limits from a schema's keywords or from a contract field's constraints. */
const boundsOf = (source: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    boundNames.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])),
  );

const plain = (type: string): Signature => ({
  type,
  isNullable: false,
  words: null,
  format: null,
  bounds: {},
  members: null,
  items: null,
  variants: null,
});

const membersOf = (fields: readonly Field[]): Record<string, Member> =>
  Object.fromEntries(
    fields.map((field) => [field.name, { isRequired: field.required, signature: contractSignature(field) }]),
  );

/** Returns the signature of an object with these fields. */
export const objectSignature = (members: Readonly<Record<string, Member>>): Signature => ({
  ...plain('object'),
  members,
});

/** Returns the signature of a query string or body with these fields in the contract. */
export const fieldsSignature = (fields: readonly Field[]): Signature => objectSignature(membersOf(fields));

export function contractSignature(shape: Shape): Signature {
  const isNullable = shape.nullable === true;
  if (shape.ref !== undefined) return { ...contractSignature(resourceShape(shape.ref)), isNullable };
  const items = shape.items ?? shape.values;
  return {
    type: shape.integral === true || shape.constraints?.['integer'] === true ? 'integer' : shape.type,
    isNullable,
    words: shape.const === undefined ? valuesOf(shape) : [String(shape.const)],
    format: shape.format ?? null,
    bounds: boundsOf(shape.constraints ?? {}),
    members: shape.fields === undefined ? null : membersOf(shape.fields),
    items: items === undefined ? null : contractSignature(items),
    variants: shape.variants?.map(({ fields }) => fieldsSignature(fields)) ?? null,
  };
}

/** Converts the JSON schemas of an OpenAPI document to signatures. */
export class SchemaReader {
  readonly #components: Readonly<Record<string, JsonSchema>>;

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
  }

  /** Resolves a reference. Throws if its target doesn't exist. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref, allOf } = schema as { $ref?: string; allOf?: readonly JsonSchema[] };
    if (allOf?.[0] !== undefined) return this.resolve(allOf[0]);
    if ($ref === undefined) return schema;
    const found = this.#components[$ref.split('/').at(-1) ?? ''];
    if (found === undefined) throw new Error(`The document has no ${$ref}.`);
    return this.resolve(found);
  }

  signature(provided: JsonSchema): Signature {
    const schema = this.resolve(provided);
    const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
    if (either !== undefined)
      return { ...this.signature(either.find((part) => part['type'] !== 'null') ?? {}), isNullable: true };
    const types = [schema['type'] ?? []].flat() as string[];
    const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
    const items =
      schema['items'] ??
      (typeof schema['additionalProperties'] === 'object' ? schema['additionalProperties'] : undefined);
    const words = schema['const'] === undefined ? schema['enum'] : [schema['const']];
    const variants = schema['oneOf'] as readonly JsonSchema[] | undefined;
    return {
      type: variants === undefined ? (types.find((type) => type !== 'null') ?? 'any') : 'union',
      isNullable: types.includes('null'),
      words: (words as readonly unknown[] | undefined)?.map(String) ?? null,
      format: schema['format'] === 'int64' ? null : ((schema['format'] as string | undefined) ?? null),
      bounds: boundsOf(schema),
      members: properties === undefined ? null : this.#members(schema, properties),
      items: items === undefined ? null : this.signature(items as JsonSchema),
      variants: variants?.map((variant) => this.signature(variant)) ?? null,
    };
  }

  #members(schema: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): Record<string, Member> {
    const required = (schema['required'] ?? []) as readonly string[];
    const entries = Object.entries(properties);
    return Object.fromEntries(
      entries.map(([name, member]) => [
        name,
        { isRequired: required.includes(name), signature: this.signature(member) },
      ]),
    );
  }
}
