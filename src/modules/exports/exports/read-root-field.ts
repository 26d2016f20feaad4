import {
  astFromValue,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
  Kind as NodeKind,
} from 'graphql';
import { isCompiledQuery } from 'graphql-jit';
import { validationError } from '../../../domain/errors/errors.ts';
import { storedSerializers } from '../../../graphql/declare/enum-spelling.ts';
import type { RestRoute } from '../../../graphql/declare/rest.ts';
import { compileOperation } from '../../../graphql/execute/jit.ts';
import type { Context } from '../../../request/context.ts';
import { isFields, queryOf, shownFields } from './derive-fields.ts';
import type { SeriesKind } from './list-series.ts';

// Root fields whose elements become rows. The fields are queried as in a client's request, so that the resolver
// validates the arguments.

type Arguments = Readonly<Record<string, unknown>>;

/** Result of a root field, or an element of its list. */
type Element = Record<string, unknown>;

type RootField = {
  readonly field: GraphQLField<unknown, unknown>;
  /** GraphQL type of the elements that the root field returns. */
  readonly type: GraphQLObjectType;
  /** Fields of an element: the fields in the REST view, or all fields with scalar values. */
  readonly nodes: readonly FieldNode[];
};

/** Returns the query type. In the schema that compiled mutations receive, the query type contains the mutations (`graphql/execute/jit.ts`). */
function queriesIn(schema: GraphQLSchema): GraphQLObjectType {
  const type = schema.getType('Query');
  if (!isObjectType(type)) throw new Error('The schema has no queries.');
  return type;
}

const readable = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** Returns a schema whose root type contains only queries. */
const readableSchema = (schema: GraphQLSchema): GraphQLSchema =>
  readable.getOrInsertComputed(
    schema,
    () =>
      new GraphQLSchema({
        ...schema.toConfig(),
        query: queriesIn(schema),
        mutation: null,
        subscription: null,
      }),
  );

/** Applies the export type's aliases to the fields of parent objects on the path from the root field to the rows. */
function aliased(
  nodes: readonly FieldNode[],
  { rows, aliases = {} }: Pick<SeriesKind, 'rows' | 'aliases'>,
): readonly FieldNode[] {
  const [next, ...below] = rows;
  if (next === undefined) return nodes;
  return nodes.map((node): FieldNode => {
    const inner = node.selectionSet?.selections ?? [];
    if (node.name.value === next && isFields(inner)) {
      const selections = aliased(inner, { rows: below, aliases });
      return { ...node, selectionSet: { kind: NodeKind.SELECTION_SET, selections } };
    }
    const alias = aliases[node.name.value];
    return alias === undefined ? node : { ...node, alias: { kind: NodeKind.NAME, value: alias } };
  });
}

/** Returns an export type's root field, with the fields to select. */
export function rootFieldOf(schema: GraphQLSchema, kind: SeriesKind): RootField {
  const field = queriesIn(schema).getFields()[kind.field];
  const { rest } = (field?.extensions ?? {}) as { readonly rest?: RestRoute };
  const type = field === undefined ? undefined : getNamedType(field.type);
  if (field === undefined || !isObjectType(type)) throw new Error(`There is no list ${kind.field}.`);
  return { field, type, nodes: aliased(shownFields(type, rest?.view), kind) };
}

/** Throws `validation_error` if a required argument is missing. */
export function checkArguments(schema: GraphQLSchema, name: string, kind: SeriesKind, sent: Arguments): void {
  const missing = rootFieldOf(schema, kind).field.args.filter(
    (argument) => isRequiredArgument(argument) && (sent[argument.name] ?? null) === null,
  );
  if (missing.length > 0)
    throw validationError(
      missing.map((argument) => ({ field: `filter.${name}.${argument.name}`, message: 'is required' })),
    );
}

/** Builds the query for all selected fields. Arguments are passed with the values that resolvers receive. */
function documentOf({ field, nodes }: RootField, sent: Arguments): DocumentNode {
  const values = field.args.flatMap(({ name, type }) => {
    const value = sent[name] === undefined ? null : astFromValue(sent[name], type);
    return value == null
      ? []
      : [{ kind: NodeKind.ARGUMENT, name: { kind: NodeKind.NAME, value: name }, value } as const];
  });
  const root: FieldNode = {
    kind: NodeKind.FIELD,
    name: { kind: NodeKind.NAME, value: field.name },
    arguments: values,
    selectionSet: { kind: NodeKind.SELECTION_SET, selections: nodes },
  };
  return queryOf({ kind: NodeKind.SELECTION_SET, selections: [root] });
}

/** Reads the elements of a root field on behalf of a caller, in REST format. Rethrows the field's errors. */
export async function readRootField(
  ctx: Context,
  schema: GraphQLSchema,
  kind: SeriesKind,
  sent: Arguments,
): Promise<readonly Element[]> {
  const compiled = compileOperation(
    readableSchema(schema),
    documentOf(rootFieldOf(schema, kind), sent),
    undefined,
    {
      customSerializers: storedSerializers(schema),
    },
  );
  if (!isCompiledQuery(compiled)) throw new Error(`${kind.field} cannot be compiled.`);
  const { data, errors } = await compiled.query(undefined, ctx, {});
  const [error] = errors ?? [];
  if (error !== undefined) throw error.originalError ?? error;
  const value = (data as Readonly<Record<string, Element | readonly Element[]>>)[kind.field] ?? [];
  return Array.isArray(value) ? value : [value as Element];
}
