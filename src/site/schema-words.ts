import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isScalarType,
} from 'graphql';
import { type Access, proofSentence, scopeSentences } from '../graphql/declare/access.ts';
import { scaleOf } from '../graphql/declare/amount.ts';
import { inline } from './markdown.ts';
import { addressOf } from './page.ts';

// Texts about parts of the GraphQL schema.

/** Kinds of types, each of which has pages by the first letter of the name. */
export type TypeKind = 'objects' | 'inputs' | 'enums' | 'scalars';

/** Returns the kind of a type. Interfaces and unions are listed with the objects. */
export function typeKindOf(type: GraphQLNamedType): TypeKind {
  if (isInputObjectType(type)) return 'inputs';
  if (isEnumType(type)) return 'enums';
  return isScalarType(type) ? 'scalars' : 'objects';
}

/** Returns the path of the page that describes a type. Enums and scalars have a single page for each letter or for all. */
export const typePath = (type: GraphQLNamedType): string => {
  const kind = typeKindOf(type);
  const group = kind === 'scalars' ? kind : `${kind}-${type.name.charAt(0).toLowerCase()}`;
  return `reference/types/${group}`;
};

/** Returns a type in schema notation, as a link to the named type. */
export function typeLink(type: GraphQLType): string {
  const named = getNamedType(type);
  return `[${inline(String(type))}](${addressOf(typePath(named))}#${named.name.toLowerCase()})`;
}

/** Describes the access that a field requires. Empty if the field declares none. */
export function accessSentence(access: Access | undefined): string {
  if (access === undefined) return '';
  if ('anonymous' in access)
    return access.isKeyed === true ? 'Public. Requires an `Idempotency-Key`.' : 'Public.';
  if ('page' in access) return `Requires the token of a hosted page: \`${access.page}\`.`;
  if ('person' in access) return 'For everyone who is signed in.';
  if ('authenticated' in access) return 'For API keys, page tokens, and signed-in members.';
  if ('member' in access)
    return `For signed-in members with at least the role \`${access.member}\`${access.environment === 'live' ? ', in the live environment' : ''}.${access.proof === true ? proofSentence : ''}`;
  return scopeSentences(access);
}

/** Returns the description of a field or input, with its scale and default. */
export function descriptionOf(
  part: Pick<GraphQLArgument | GraphQLInputField, 'description'> & {
    readonly defaultValue?: unknown;
    readonly extensions?: unknown;
  },
): string {
  const scale = scaleOf(part);
  return [
    part.description ?? '',
    part.defaultValue === undefined ? '' : `Defaults to ${inline(JSON.stringify(part.defaultValue))}.`,
    scale === undefined ? '' : `Amount with the scale ${inline(scale)}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Returns a row for an argument or a member of an input: name, type, and description. */
export const inputRow = (part: GraphQLArgument | GraphQLInputField): string[] => [
  inline(part.name),
  typeLink(part.type),
  descriptionOf(part),
];
