import { type GraphQLEnumType, type GraphQLScalarType, isEnumType, type ValueNode } from 'graphql';
import { storedValues } from './enum-spelling.ts';

// What is wrong with values of scalars and enums, in words that complete "<field> …".

type LeafType = GraphQLScalarType | GraphQLEnumType;

/** What GraphQL's own scalars say, by how it begins, in our words. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/^(String|ID) cannot represent/, 'must be a string'],
  [/^Boolean cannot represent/, 'must be true or false'],
  [/^Int cannot represent/, 'must be a whole number between -2147483648 and 2147483647'],
  [/^Float cannot represent/, 'must be a number'],
];

const mustBeOneOf = (values: readonly string[]): string => `must be one of ${values.join(', ')}`;

function messageOf(type: LeafType, error: unknown): string {
  if (isEnumType(type)) return mustBeOneOf(type.getValues().map(({ name }) => name));
  const text = error instanceof Error ? error.message : String(error);
  return plain.find(([beginning]) => beginning.test(text))?.[1] ?? text;
}

/** What is wrong with a value as its type reads it; null when it can be read. */
export function valueViolation(type: LeafType, value: unknown): string | null {
  try {
    type.parseValue(value);
    return null;
  } catch (error) {
    return messageOf(type, error);
  }
}

/** The same for a value of a REST call: enums as they are stored, and an id is a text, though clients of GraphQL may send a whole number. */
export function restViolation(type: LeafType, value: unknown): string | null {
  if (!isEnumType(type))
    return type.name === 'ID' && typeof value !== 'string' ? 'must be a string' : valueViolation(type, value);
  const values = storedValues(type);
  return values.includes(value as string) ? null : mustBeOneOf(values);
}

/** The same for a value in a document. */
export function literalViolation(type: LeafType, node: ValueNode): string | null {
  try {
    const value: unknown = type.parseLiteral(node, undefined);
    return value === undefined ? messageOf(type, null) : null;
  } catch (error) {
    return messageOf(type, error);
  }
}
