import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

// Documentation of the schema's types, in the form that the explorer displays.

type DocumentedInput = {
  readonly name: string;
  readonly type: string;
  /** Name of the type without list and non-null modifiers. */
  readonly named: string;
  readonly description: string;
};

export type DocumentedField = DocumentedInput & {
  readonly inputs: readonly DocumentedInput[];
  /** Reason for the deprecation. `null` if the field isn't deprecated. */
  readonly deprecation: string | null;
};

export type DocumentedType = {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly DocumentedField[];
  /** Values of an enum. Empty for other types. */
  readonly values: readonly { readonly name: string; readonly description: string }[];
  /** Types of a union, or types that implement an interface. */
  readonly members: readonly string[];
};

const inputOf = ({ name, type, description }: GraphQLArgument | GraphQLInputField): DocumentedInput => ({
  name,
  type: String(type),
  named: getNamedType(type).name,
  description: description ?? '',
});

const fieldOf = (field: GraphQLField<unknown, unknown>): DocumentedField => ({
  name: field.name,
  type: String(field.type),
  named: getNamedType(field.type).name,
  description: field.description ?? '',
  inputs: field.args.map(inputOf),
  deprecation: field.deprecationReason ?? null,
});

const inputFieldOf = (field: GraphQLInputField): DocumentedField => ({
  ...inputOf(field),
  inputs: [],
  deprecation: field.deprecationReason ?? null,
});

/** Returns the documentation of a type. `null` if the schema doesn't contain the type. */
export function documentedType(schema: GraphQLSchema, name: string): DocumentedType | null {
  const type = schema.getType(name);
  if (type === undefined) return null;
  const hasFields = isObjectType(type) || isInterfaceType(type);
  const inputs = isInputObjectType(type) ? Object.values(type.getFields()).map(inputFieldOf) : [];
  const isAbstract = isUnionType(type) || isInterfaceType(type);
  return {
    name: type.name,
    description: type.description ?? '',
    fields: hasFields ? Object.values(type.getFields()).map(fieldOf) : inputs,
    values: isEnumType(type)
      ? type.getValues().map((each) => ({ name: each.name, description: each.description ?? '' }))
      : [],
    members: isAbstract ? schema.getPossibleTypes(type).map((each) => each.name) : [],
  };
}

/** Names of the root operation types. */
export const rootTypes = (schema: GraphQLSchema): readonly string[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    type === null || type === undefined ? [] : [type.name],
  );

/** Search result: a type, or a root field and its type. */
export type Hit = { readonly name: string; readonly type: string };

const maxHits = 50;

/** Finds root fields and types whose name contains the typed text. Names that start with the text come first. */
export function found(schema: GraphQLSchema, typed: string): readonly Hit[] {
  const part = typed.trim().toLowerCase();
  if (part === '') return [];
  const fields = rootTypes(schema).flatMap((root) =>
    (documentedType(schema, root)?.fields ?? []).map(({ name, named }) => ({ name, type: named })),
  );
  const types = Object.keys(schema.getTypeMap())
    .filter((name) => !name.startsWith('__'))
    .map((name) => ({ name, type: name }));
  const place = ({ name }: Hit): number => name.toLowerCase().indexOf(part);
  return [...fields, ...types]
    .filter((hit) => place(hit) >= 0)
    .sort((one, other) => Math.min(place(one), 1) - Math.min(place(other), 1))
    .slice(0, maxHits);
}
