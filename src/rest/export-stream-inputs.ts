import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  GraphQLString,
  isInputObjectType,
} from 'graphql';
import type { KindName } from '../modules/exports/exports/find-kind.ts';
import { leavesOf, type RouteInput } from './routes.ts';

// Query parameters for export streams. These parameters correspond to the input of `exportCreate` and the filter of the exported list.

function inputType(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`There is no input ${name}.`);
  return type;
}

/** Parameters that resume an interrupted stream. */
const placeFields = [
  {
    name: 'after',
    type: GraphQLString,
    description:
      'Starts after this row: the `X-Export-Cursor` of an earlier stream, or the ID of the last received row. Not supported for series.',
    extensions: { rule: { minLength: 1, maxLength: 500 } },
  },
  {
    name: 'snapshot',
    type: GraphQLString,
    description:
      '`X-Export-Snapshot` of an earlier stream, to export the rows of that time. Defaults to the current rows.',
    extensions: { rule: { pattern: /^\d{1,18}$/ } },
  },
] as unknown as readonly GraphQLInputField[];

const inputOf = ([name, definition, path]: ReturnType<typeof leavesOf>[number]): RouteInput => ({
  name,
  place: 'query',
  path,
  definition,
});

/** Returns the parameters that all export streams share. */
export function commonInputs(schema: GraphQLSchema): RouteInput[] {
  const { filter: _filter, ...sent } = inputType(schema, 'ExportCreateInput').getFields();
  return [...Object.values(sent), ...placeFields].flatMap((field) => leavesOf(field)).map(inputOf);
}

/** Returns the filter parameter for an export type. Undefined if lists of this type have no filter. */
export const filterOfKind = (schema: GraphQLSchema, kind: KindName): GraphQLInputField | undefined =>
  inputType(schema, 'ExportFilter').getFields()[kind];

/** Returns all parameters for an export type's streams. */
export function inputsOfKind(schema: GraphQLSchema, kind: KindName): RouteInput[] {
  const filter = filterOfKind(schema, kind);
  const own = filter === undefined ? [] : leavesOf({ ...filter, name: 'filter' }).map(inputOf);
  return [...commonInputs(schema), ...own];
}
