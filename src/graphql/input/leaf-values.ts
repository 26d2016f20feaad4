import { type GraphQLEnumType, type GraphQLScalarType, isEnumType, type ValueNode } from 'graphql';
import { storedValues } from '../declare/enum-spelling.ts';

// Messages for invalid scalar and enum values. Each message is appended to a field's name.

type LeafType = GraphQLScalarType | GraphQLEnumType;

/** Messages that replace those of GraphQL's built-in scalars, by the start of the original message. */
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

/** Returns the reason why a parser rejects a value. `null` if the value is valid. */
export function valueViolation(type: LeafType, value: unknown): string | null {
  try {
    type.parseValue(value);
    return null;
  } catch (error) {
    return messageOf(type, error);
  }
}

/** Returns the violation in a REST value. Enums use stored values. IDs must be strings; GraphQL also accepts integers. */
export function restViolation(type: LeafType, value: unknown): string | null {
  if (!isEnumType(type))
    return type.name === 'ID' && typeof value !== 'string' ? 'must be a string' : valueViolation(type, value);
  const values = storedValues(type);
  return values.includes(value as string) ? null : mustBeOneOf(values);
}

/** Returns the violation in a literal. `null` if the literal is valid. */
export function literalViolation(type: LeafType, node: ValueNode): string | null {
  try {
    const value: unknown = type.parseLiteral(node, undefined);
    return value === undefined ? messageOf(type, null) : null;
  } catch (error) {
    return messageOf(type, error);
  }
}
