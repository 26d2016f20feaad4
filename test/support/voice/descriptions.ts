import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { schema } from '../../../src/schema.ts';
import type { Text } from './text.ts';

type Described = { readonly name: string; readonly description?: string | null | undefined };

/** Returns the descriptions of a type, its members and their arguments, with their schema coordinates. */
function described(type: GraphQLNamedType): [place: string, member: Described][] {
  const own: [string, Described] = [type.name, type];
  if (isEnumType(type))
    return [
      own,
      ...type.getValues().map((value) => [`${type.name}.${value.name}`, value] as [string, Described]),
    ];
  if (isInputObjectType(type))
    return [
      own,
      ...Object.values(type.getFields()).map(
        (field) => [`${type.name}.${field.name}`, field] as [string, Described],
      ),
    ];
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  return [
    own,
    ...Object.values(type.getFields()).flatMap((field) => {
      const place = `${type.name}.${field.name}`;
      return [
        [place, field] as [string, Described],
        ...field.args.map((arg) => [`${place}(${arg.name}:)`, arg] as [string, Described]),
      ];
    }),
  ];
}

/** Returns the descriptions in the built schema. */
export const descriptions = (): Text[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap(described)
    .flatMap(([place, { description }]) =>
      description == null || description === ''
        ? []
        : [{ kind: 'schema', place, text: description.replace(/\s+/g, ' ') }],
    );
