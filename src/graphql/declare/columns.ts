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
import type { Columns } from '../../platform/db/columns.ts';

// Determines which columns of a row an operation needs. Exposed fields, relations, and computed fields declare their columns. A plain
// resolver may use any column, so selecting such a field reads the whole row.

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      columns: ColumnsPlugin<Types>;
    }
    interface FieldOptions {
      /** True if the field returns the property of the same name, without a resolver. */
      isProperty?: true;
    }
  }
}

/** Pothos plugin that stores the columns of each field in the schema. */
class ColumnsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { columns, isProperty } = field.pothosOptions as { columns?: readonly string[]; isProperty?: true };
    const read = columns === undefined ? field : { ...field, extensions: { ...field.extensions, columns } };
    return isProperty === true ? { ...read, resolve: defaultFieldResolver } : read;
  }
}

SchemaBuilder.registerPlugin('columns', ColumnsPlugin);

/** Returns the columns that a field uses. `all` if the columns are unknown. */
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
  // A resolver without parameters can't use the row, so no columns are needed.
  return resolve.length === 0 ? [] : 'all';
}

/** Properties of the resolver info that are needed to read the selection. */
type ParsedQuery = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType'>;

/** True if a fragment can apply to rows of this type. A fragment on an interface or a union always applies. */
const appliesTo = (type: GraphQLObjectType, condition: string | undefined, schema: GraphQLSchema): boolean =>
  condition === undefined || condition === type.name || !isObjectType(schema.getType(condition));

/** Object type of the rows, for fields that return an interface or a union. */
type Narrowed = { readonly type: GraphQLObjectType; readonly schema: GraphQLSchema };

/**
 * Yields the fields in the selections of the given nodes, including those in applicable fragments. Ignores `@skip` and `@include`, so that
 * an operation always reads the same columns.
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

/** Returns the columns of a type that the given fields use. */
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

/** Caches the columns by selection. A compiled operation always passes the same AST nodes. */
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

/** Returns the columns to read for a field that returns a row or a list of rows. */
export const columnsOf = oncePerPlace(
  ({ fieldNodes, returnType, fragments }: ParsedQuery): Columns =>
    columnsUsed(fieldsBelow(fieldNodes, fragments), getNamedType(returnType)),
);

const columnsByType = oncePerPlace(() => new Map<GraphQLObjectType, Columns>());

/** Returns the columns to read for rows of one type, for a field that returns an interface or a union. */
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

/** Returns the type of the field with this name in an object type. */
const typeBelow = (type: unknown, name: string): unknown => {
  const field = isObjectType(type) ? (type as GraphQLObjectType).getFields()[name] : undefined;
  return field === undefined ? undefined : getNamedType(field.type);
};

/** Returns the columns to read for the rows of a page, and whether the operation selects cursors. */
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
