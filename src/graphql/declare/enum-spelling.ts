import {
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';

// REST and webhooks use the stored enum values, and GraphQL uses enum names. The values differ if a stored value isn't a valid GraphQL
// name.

const isRenamed = (type: GraphQLEnumType): boolean =>
  type.getValues().some(({ name, value }) => name !== value);

export const storedValues = (type: GraphQLEnumType): readonly string[] =>
  type.getValues().map(({ value }) => String(value));

type Convert = (value: unknown) => unknown;

const toName = (type: GraphQLEnumType): Convert => {
  const names = new Map<unknown, string>(type.getValues().map(({ name, value }) => [value, name]));
  return (value) => names.get(value) ?? value;
};

/**
 * Returns a function that converts stored enum values to GraphQL names, or `null` if the type needs no conversion. `seen` contains the enclosing
 * types, so that recursive types terminate.
 */
function conversionTo(wrapped: GraphQLInputType, seen: ReadonlySet<GraphQLInputType>): Convert | null {
  const type = getNullableType(wrapped);
  if (isListType(type)) {
    const convert = conversionTo(type.ofType, seen);
    return convert && ((values) => (Array.isArray(values) ? values.map(convert) : values));
  }
  if (isEnumType(type)) return isRenamed(type) ? toName(type) : null;
  if (!isInputObjectType(type) || seen.has(type)) return null;
  const within = new Set([...seen, type]);
  const members = Object.values(type.getFields()).flatMap((member) => {
    const convert = conversionTo(member.type, within);
    return convert === null ? [] : [[member.name, convert] as const];
  });
  if (members.length === 0) return null;
  return (object) => {
    if (typeof object !== 'object' || object === null) return object;
    const converted: Record<string, unknown> = { ...object };
    for (const [name, convert] of members) if (name in converted) converted[name] = convert(converted[name]);
    return converted;
  };
}

const conversions = new WeakMap<GraphQLInputType, { readonly convert: Convert | null }>();

/** Converts a REST value to a GraphQL variable. */
export function asNames(type: GraphQLInputType, value: unknown): unknown {
  const { convert } = conversions.getOrInsertComputed(type, () => ({
    convert: conversionTo(type, new Set()),
  }));
  return convert === null ? value : convert(value);
}

const serializers = new WeakMap<GraphQLSchema, Readonly<Record<string, Convert>>>();

/** Serializers by type name that return stored enum values instead of GraphQL names. */
export const storedSerializers = (schema: GraphQLSchema): Readonly<Record<string, Convert>> =>
  serializers.getOrInsertComputed(schema, () =>
    Object.fromEntries(
      Object.values(schema.getTypeMap())
        .filter((type) => isEnumType(type))
        .filter((type) => isRenamed(type) && !type.name.startsWith('__'))
        .map((type) => [type.name, (value: unknown) => value]),
    ),
  );
