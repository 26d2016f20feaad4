import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  GraphQLString,
  isInputObjectType,
} from 'graphql';
import type { KindName } from '../modules/exports/find-kind.ts';
import { leavesOf, type RouteInput } from './routes.ts';

// What a stream of an export takes: the members of `exportCreate`, and the filter of the kind as its list takes it.

/** An input type by its name. */
function inputType(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`There is no input ${name}.`);
  return type;
}

/** Where a stream goes on. */
const placeFields = [
  {
    name: 'after',
    type: GraphQLString,
    description:
      'Go on after this: `X-Export-Cursor` of an earlier stream, or the id of the last row that arrived. Not for series.',
    extensions: { rule: { minLength: 1, maxLength: 500 } },
  },
  {
    name: 'snapshot',
    type: GraphQLString,
    description:
      '`X-Export-Snapshot` of an earlier stream, for the rows there were then. Defaults to the rows there are now.',
    extensions: { rule: { pattern: /^\d{1,18}$/ } },
  },
] as unknown as readonly GraphQLInputField[];

const inputOf = ([name, definition, path]: ReturnType<typeof leavesOf>[number]): RouteInput => ({
  name,
  place: 'query',
  path,
  definition,
});

/** The inputs that streams of all kinds have. */
export function commonInputs(schema: GraphQLSchema): RouteInput[] {
  const { filter: _filter, ...sent } = inputType(schema, 'ExportCreateInput').getFields();
  return [...Object.values(sent), ...placeFields].flatMap((field) => leavesOf(field)).map(inputOf);
}

/** The filter of a kind as an input; undefined for a kind without one. */
export const filterOfKind = (schema: GraphQLSchema, kind: KindName): GraphQLInputField | undefined =>
  inputType(schema, 'ExportFilter').getFields()[kind];

/** The inputs that streams of one kind have. */
export function inputsOfKind(schema: GraphQLSchema, kind: KindName): RouteInput[] {
  const filter = filterOfKind(schema, kind);
  const own = filter === undefined ? [] : leavesOf({ ...filter, name: 'filter' }).map(inputOf);
  return [...commonInputs(schema), ...own];
}
