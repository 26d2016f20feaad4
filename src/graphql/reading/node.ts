import { type GraphQLObjectType, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';
import { QuittanceError } from '../../domain/errors/errors.ts';
import { type Columns, columnsByModel } from '../../platform/db/columns.ts';
import type { Filter, ModelName } from '../../platform/db/rows.ts';
import { prefixOf } from '../../platform/ids.ts';
import type { Context } from '../../request/context.ts';
import { type Access, accessIn, authorize } from '../declare/access.ts';
import { columnsOfType } from '../declare/columns.ts';
import { areaOfType } from '../declare/reach.ts';
import { builder } from './builder.ts';
import { loadRowsBy } from './loaders.ts';

// Types whose objects have a global ID, and the `node` query that looks up objects by this ID.

/** Options for looking up a type's objects by ID. */
type NodeOptions = {
  /** ID prefix, followed by `_`, or by `/` for IDs that are paths. Unique per type. */
  readonly prefix: string;
  /** Access to the objects. Defaults to API keys with the scope `read`, and members. */
  readonly access?: Access;
  /** Model of the rows. Inferred for types that are based on a model. */
  readonly model?: ModelName;
  /** Additional filter for rows that the query can return. Deleted rows are never returned. */
  readonly where?: Filter;
  /**
   * Loads an object by ID. `null` if the object doesn't exist. Required for types that aren't based on a single row.
   * Lookups are batched.
   */
  readonly load?: (ctx: Context, id: string, columns: Columns) => Promise<object | null>;
};

export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'Object with a global ID. Use the `node` query to look up the object by its ID.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifier that is unique across all objects and never changes.',
      resolve: () => {
        throw new Error('Every node resolves its own id.');
      },
    }),
  }),
  resolveType: (found) => typeNames.get(found),
});

/** Returns the type options for a node. Only node types have a field named `id`. */
export const node = (options: NodeOptions) => ({
  interfaces: [Node],
  extensions: { node: options },
});

/** GraphQL type names of loaded nodes, by object. */
const typeNames = new WeakMap<object, string>();

type NodeType = {
  readonly type: GraphQLObjectType;
  readonly access: Access;
  readonly load: (ctx: Context, id: string, columns: Columns) => Promise<object | null>;
};

function nodeTypeOf(type: GraphQLObjectType): [string, NodeType] | null {
  const { node: options, pothosPrismaModel } = type.extensions as {
    node?: NodeOptions;
    pothosPrismaModel?: ModelName;
  };
  if (options === undefined) return null;
  const { prefix, access: declared = { scope: 'read' }, model = pothosPrismaModel, where, load } = options;
  const access = accessIn(areaOfType(type), declared);
  if (load !== undefined) return [prefix, { type, access, load }];
  if (model === undefined) throw new Error(`${type.name} has neither a model nor load.`);
  const isDeletable = columnsByModel.get(model)?.includes('deletedAt') === true;
  const filter = isDeletable ? { ...where, deletedAt: null } : where;
  return [
    prefix,
    {
      type,
      access,
      load: async (ctx, id, columns) => {
        // Reads all columns of a type without a model, because the needed columns are unknown.
        const read = pothosPrismaModel === undefined ? 'all' : columns;
        const [row] = await loadRowsBy(ctx, model, 'id', id, 'id', filter, read);
        return row ?? null;
      },
    },
  ];
}

const nodeTypes = new WeakMap<GraphQLSchema, ReadonlyMap<string, NodeType>>();

/** Returns the node types by ID prefix. */
const nodeTypesOf = (schema: GraphQLSchema): ReadonlyMap<string, NodeType> =>
  nodeTypes.getOrInsertComputed(schema, () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    return new Map(types.map(nodeTypeOf).filter((entry) => entry !== null));
  });

const typeKeyOf = (id: string): string => (id.includes('/') ? '/' : prefixOf(id));

/** True if the caller has the access that a node type requires. */
async function isVisible(access: Access, ctx: Context): Promise<boolean> {
  try {
    await authorize(access, {}, ctx);
    return true;
  } catch (error) {
    if (error instanceof QuittanceError) return false;
    throw error;
  }
}

/**
 * Returns the object with a global ID. `null` if the object doesn't exist or the caller may not read the object.
 * Batched, with one SQL statement per type.
 */
export async function findNode(ctx: Context, id: string, info: GraphQLResolveInfo): Promise<object | null> {
  const found = nodeTypesOf(info.schema).get(typeKeyOf(id));
  if (found === undefined || !(await isVisible(found.access, ctx))) return null;
  const object = await found.load(ctx, id, columnsOfType(info, found.type));
  if (object !== null) typeNames.set(object, found.type.name);
  return object;
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description:
      "Returns the object with the given ID. `null` if the object doesn't exist or isn't visible to the caller.",
    access: { authenticated: true },
    args: { id: t.arg.id({ required: true, description: 'ID of an object of any type.' }) },
    resolve: (_root, { id }, ctx, info) => findNode(ctx, id, info),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      "Returns the objects with the given IDs, in the order of the IDs. An item is `null` if the object doesn't exist or isn't visible to the caller.",
    access: { authenticated: true },
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    args: {
      ids: t.arg.idList({
        required: true,
        rule: { minItems: 1, maxItems: 100 },
        description: 'IDs of objects of any type. From 1 to 100 values.',
      }),
    },
    resolve: (_root, { ids }, ctx, info) => Promise.all(ids.map((id) => findNode(ctx, id, info))),
  }),
);
