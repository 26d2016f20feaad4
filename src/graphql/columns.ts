import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Columns } from '../platform/db/columns.ts';

// Which columns of a row an operation needs: those its fields show, those relations go by, and those computed fields name. A plain field with a
// resolver may use any column, so that where one is selected, whole rows are read.

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      columns: ColumnsPlugin<Types>;
    }
    interface FieldOptions {
      /** True for a field that is the property of its name, so that it needs no resolver. */
      isProperty?: true;
    }
  }
}

/** Keeps in the schema which columns a field uses. */
export class ColumnsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { columns, isProperty } = field.pothosOptions as { columns?: readonly string[]; isProperty?: true };
    const read = columns === undefined ? field : { ...field, extensions: { ...field.extensions, columns } };
    return isProperty === true ? { ...read, resolve: defaultFieldResolver } : read;
  }
}

SchemaBuilder.registerPlugin('columns', ColumnsPlugin);

/** The columns a field uses; `all` where nothing is known about it. */
function columnsOfField({
  extensions,
  name,
  resolve,
}: GraphQLField<unknown, unknown>): readonly string[] | 'all' {
  const { columns, pothosExposedField } = extensions as {
    columns?: readonly string[];
    pothosExposedField?: string;
  };
  if (columns !== undefined) return columns;
  if (resolve === undefined) return [name];
  if (pothosExposedField !== undefined) return [pothosExposedField];
  // A resolver that takes nothing uses nothing.
  return resolve.length === 0 ? [] : 'all';
}

/** What of a resolver's info tells what is asked for. */
type ParsedQuery = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType'>;

/** Whether a fragment can be about rows of this type: it is, unless its condition is another type of objects. */
const appliesTo = (type: GraphQLObjectType, condition: string | undefined, schema: GraphQLSchema): boolean =>
  condition === undefined || condition === type.name || !isObjectType(schema.getType(condition));

/** The type of the rows, where a field answers an interface or a union. */
type Narrowed = { readonly type: GraphQLObjectType; readonly schema: GraphQLSchema };

/**
 * The fields selected below, fragments included, of other types than that of the rows not included. Those left out by `@skip` and `@include`
 * count, so that an operation reads the same each time.
 */
function* fieldsBelow(
  nodes: Iterable<{ readonly selectionSet?: SelectionSetNode }>,
  fragments: ParsedQuery['fragments'],
  narrowed?: Narrowed,
): Generator<FieldNode> {
  for (const { selectionSet } of nodes) {
    for (const selection of selectionSet?.selections ?? []) {
      if (selection.kind === Kind.FIELD) yield selection;
      else {
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
        const condition = fragment?.typeCondition?.name.value;
        if (fragment === undefined) continue;
        if (narrowed === undefined || appliesTo(narrowed.type, condition, narrowed.schema))
          yield* fieldsBelow([fragment], fragments, narrowed);
      }
    }
  }
}

/** The columns that the selected fields use of rows of this type. */
function columnsUsed(fields: Iterable<FieldNode>, type: unknown): Columns {
  if (!isObjectType(type)) return 'all';
  const columns = new Set<string>();
  for (const { name } of fields) {
    const field = type.getFields()[name.value];
    const used = field === undefined ? [] : columnsOfField(field);
    if (used === 'all') return 'all';
    for (const column of used) columns.add(column);
  }
  return columns;
}

/** Answers what `derive` does, once for the places of an operation: a compiled one hands over the same nodes each time. */
function oncePerPlace<T>(derive: (requested: ParsedQuery) => T): (requested: ParsedQuery) => T {
  const known = new WeakMap<readonly FieldNode[], T>();
  return (requested) => {
    const before = known.get(requested.fieldNodes);
    if (before !== undefined) return before;
    const derived = derive(requested);
    known.set(requested.fieldNodes, derived);
    return derived;
  };
}

/** The columns an operation needs of the rows a field answers, one or a list. */
export const columnsOf = oncePerPlace(
  ({ fieldNodes, returnType, fragments }: ParsedQuery): Columns =>
    columnsUsed(fieldsBelow(fieldNodes, fragments), getNamedType(returnType)),
);

const columnsByType = oncePerPlace(() => new Map<GraphQLObjectType, Columns>());

/** The columns an operation needs of the rows of one type, where a field answers an interface or a union. */
export function columnsOfType(
  info: ParsedQuery & Pick<GraphQLResolveInfo, 'schema'>,
  type: GraphQLObjectType,
): Columns {
  const { fieldNodes, fragments, schema } = info;
  return columnsByType(info).getOrInsertComputed(type, () =>
    columnsUsed(fieldsBelow(fieldNodes, fragments, { type, schema }), type),
  );
}

const cursorNames = new Set(['cursor', 'startCursor', 'endCursor']);

/** The type below a field of an object type. */
const typeBelow = (type: unknown, name: string): unknown => {
  const field = isObjectType(type) ? (type as GraphQLObjectType).getFields()[name] : undefined;
  return field === undefined ? undefined : getNamedType(field.type);
};

/** What an operation needs of the rows on a page a field answers: the columns it shows, and whether it asks for a cursor. */
export const pageColumnsOf = oncePerPlace(
  ({ fieldNodes, returnType, fragments }: ParsedQuery): { columns: Columns; hasCursors: boolean } => {
    const below = [...fieldsBelow(fieldNodes, fragments)];
    const parts = [...fieldsBelow(below, fragments)];
    const rows = [
      ...below.filter(({ name }) => name.value === 'nodes'),
      ...parts.filter(({ name }) => name.value === 'node'),
    ];
    return {
      columns: columnsUsed(fieldsBelow(rows, fragments), typeBelow(getNamedType(returnType), 'nodes')),
      hasCursors: parts.some(({ name }) => cursorNames.has(name.value)),
    };
  },
);
