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
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { storedSerializers } from '../../graphql/enum-spelling.ts';
import { compileOperation } from '../../graphql/jit.ts';
import type { RestRoute } from '../../graphql/rest.ts';
import { isFields, queryOf, shownFields } from './derive-fields.ts';
import type { SeriesKind } from './list-series.ts';

// Root fields whose elements become rows. They are asked as a client asks them: the resolver checks and answers.

type Arguments = Readonly<Record<string, unknown>>;

/** What a root field answers, or one of several. */
type Element = Record<string, unknown>;

type RootField = {
  readonly field: GraphQLField<unknown, unknown>;
  /** What its elements are. */
  readonly type: GraphQLObjectType;
  /** The fields of an element: those that REST shows, or that are values. */
  readonly nodes: readonly FieldNode[];
};

/** The queries of a schema. In what a compiled mutation hands on, mutations are the queries (`graphql/jit.ts`). */
function queriesIn(schema: GraphQLSchema): GraphQLObjectType {
  const type = schema.getType('Query');
  if (!isObjectType(type)) throw new Error('The schema has no queries.');
  return type;
}

const readable = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** The schema with nothing but its queries at the root. */
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

/** The fields that lead to the rows, with the aliases of what stands above them. */
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

/** The root field of a kind, with what is shown of it. */
export function rootFieldOf(schema: GraphQLSchema, kind: SeriesKind): RootField {
  const field = queriesIn(schema).getFields()[kind.field];
  const { rest } = (field?.extensions ?? {}) as { readonly rest?: RestRoute };
  const type = field === undefined ? undefined : getNamedType(field.type);
  if (field === undefined || !isObjectType(type)) throw new Error(`There is no list ${kind.field}.`);
  return { field, type, nodes: aliased(shownFields(type, rest?.view), kind) };
}

/** Throws `validation_error` for arguments that the field needs and that were not sent. */
export function checkArguments(schema: GraphQLSchema, name: string, kind: SeriesKind, sent: Arguments): void {
  const missing = rootFieldOf(schema, kind).field.args.filter(
    (argument) => isRequiredArgument(argument) && (sent[argument.name] ?? null) === null,
  );
  if (missing.length > 0)
    throw validationError(
      missing.map((argument) => ({ field: `filter.${name}.${argument.name}`, message: 'is required' })),
    );
}

/** The question for all that is shown of the field. Arguments have the values that resolvers get. */
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

/** The elements of a root field for a caller, as REST shows them. Throws what the field rejects. */
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
