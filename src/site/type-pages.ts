import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import { blocks, inline, table } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';
import { descriptionOf, inputRow, type TypeKind, typeKindOf, typeLink, typePath } from './schema-words.ts';

// GraphQL types: pages by kind and first letter.

const kindNames: Readonly<Record<TypeKind, string>> = {
  objects: 'Objects',
  inputs: 'Inputs',
  enums: 'Enums',
  scalars: 'Scalars',
};

const kindDescriptions: Readonly<Record<TypeKind, string>> = {
  objects: 'Object, interface, and union types of the GraphQL schema',
  inputs: 'Input types of the GraphQL schema',
  enums: 'Enum types of the GraphQL schema',
  scalars: 'Scalar types of the GraphQL schema',
};

/** Returns the table of a type's fields, members, or values, and its relations. */
function typeBody(schema: GraphQLSchema, type: GraphQLNamedType): string {
  if (isObjectType(type) || isInterfaceType(type)) {
    const interfaces = type.getInterfaces().map(typeLink);
    const fields = Object.values(type.getFields());
    return blocks(
      interfaces.length === 0 ? '' : `Implements ${interfaces.join(', ')}.`,
      table(
        ['Field', 'Type', 'Description'],
        fields.map((field) => [inline(field.name), typeLink(field.type), descriptionOf(field)]),
      ),
      ...fields
        .filter(({ args }) => args.length > 0)
        .map((field) =>
          blocks(
            `Arguments of ${inline(field.name)}:`,
            table(['Argument', 'Type', 'Description'], field.args.map(inputRow)),
          ),
        ),
    );
  }
  if (isInputObjectType(type))
    return blocks(
      type.isOneOf ? 'Requires exactly one of its members.' : '',
      table(['Member', 'Type', 'Description'], Object.values(type.getFields()).map(inputRow)),
    );
  if (isUnionType(type)) return `One of ${schema.getPossibleTypes(type).map(typeLink).join(', ')}.`;
  if (isEnumType(type))
    return table(
      ['Value', 'Meaning'],
      type.getValues().map(({ name, description }) => [inline(name), description ?? '']),
    );
  return isScalarType(type) && typeof type.specifiedByURL === 'string'
    ? `Specified by <${type.specifiedByURL}>.`
    : '';
}

/** Returns the types of a schema except root types and types for introspection, sorted by name. */
function documentedTypes(schema: GraphQLSchema): GraphQLNamedType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !roots.some((root) => root === type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the pages of the schema's types, and an index with a link to each type. */
export function typePages(schema: GraphQLSchema): readonly SitePage[] {
  const types = documentedTypes(schema);
  const pages = Array.from(Map.groupBy(types, typePath), ([path, members]): SitePage => {
    const kind = typeKindOf(members[0] as GraphQLNamedType);
    const letter = kind === 'scalars' ? '' : `: ${path.slice(-1).toUpperCase()}`;
    return {
      path,
      title: `${kindNames[kind]}${letter}`,
      description: `${kindDescriptions[kind]}${letter}.`,
      section: 'Reference',
      body: () =>
        blocks(
          ...members.map((type) => blocks(`## ${type.name}`, type.description ?? '', typeBody(schema, type))),
        ),
    };
  });
  const lists = Array.from(Map.groupBy(types, typeKindOf), ([kind, members]) =>
    blocks(`## ${kindNames[kind]}`, members.map((type) => typeLink(type)).join(' · ')),
  );
  return [
    {
      path: 'reference/types',
      title: 'GraphQL types',
      description: 'All types of the GraphQL schema.',
      section: 'Reference',
      body: () =>
        blocks(
          `The schema is also available as text at [\`/graphql/schema.graphql\`](/graphql/schema.graphql). [Operations](${addressOf('reference')}) lists the queries, mutations, and live fields.`,
          ...lists,
        ),
    },
    ...pages,
  ];
}
