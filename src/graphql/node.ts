import { type GraphQLObjectType, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';
import type { Context } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import { type Columns, columnsByModel } from '../platform/db/columns.ts';
import type { Filter, ModelName } from '../platform/db/rows.ts';
import { type Access, authorize } from './access.ts';
import { builder } from './builder.ts';
import { columnsOfType } from './columns.ts';
import { loadRowsBy } from './loaders.ts';

// Objects with an identity of their own, and how they are found by it.

/** How the objects of a type are found by their ids. */
type NodeOptions = {
  /** The text before the `_` of their ids; `/` for ids that are paths. No other type has it. */
  readonly prefix: string;
  /** Who sees them: as of the root field that shows the type. Defaults to keys with the scope `read`, and members. */
  readonly access?: Access;
  /** The model their rows are of; a type of rows knows it. */
  readonly model?: ModelName;
  /** Only rows that pass. Deleted ones never do. */
  readonly where?: Filter;
  /** Loads the object with an id, or null: for what is no row of an environment, or more than one. Batched. */
  readonly load?: (ctx: Context, id: string, columns: Columns) => Promise<object | null>;
};

export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'An object with an id of its own, by which `node` finds it.',
  fields: (t) => ({
    id: t.id({
      description: 'Unique among all objects; it never changes.',
      resolve: () => {
        throw new Error('Every node resolves its own id.');
      },
    }),
  }),
  resolveType: (found) => typeNames.get(found),
});

/** The options of a type whose objects are nodes. The type has a field `id`; no other type has one. */
export const node = (options: NodeOptions) => ({
  interfaces: [Node],
  extensions: { node: options },
});

/** What objects found by id are called in the schema. */
const typeNames = new WeakMap<object, string>();

/** A type of nodes with everything its declaration says. */
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
  const { prefix, access = { scope: 'read' }, model = pothosPrismaModel, where, load } = options;
  if (load !== undefined) return [prefix, { type, access, load }];
  if (model === undefined) throw new Error(`${type.name} does not say where its objects are.`);
  const isDeletable = columnsByModel.get(model)?.includes('deletedAt') === true;
  const filter = isDeletable ? { ...where, deletedAt: null } : where;
  return [
    prefix,
    {
      type,
      access,
      load: async (ctx, id, columns) => {
        // Types that are not of rows use whole rows.
        const read = pothosPrismaModel === undefined ? 'all' : columns;
        const [row] = await loadRowsBy(ctx, model, 'id', id, 'id', filter, read);
        return row ?? null;
      },
    },
  ];
}

const nodeTypes = new WeakMap<GraphQLSchema, ReadonlyMap<string, NodeType>>();

/** The types of nodes by the prefix of their ids. */
export const nodeTypesOf = (schema: GraphQLSchema): ReadonlyMap<string, NodeType> =>
  nodeTypes.getOrInsertComputed(schema, () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    return new Map(types.map(nodeTypeOf).filter((entry) => entry !== null));
  });

const prefixOf = (id: string): string => (id.includes('/') ? '/' : id.slice(0, Math.max(0, id.indexOf('_'))));

/** Whether the caller may see what `access` guards. */
async function isVisible(access: Access, ctx: Context): Promise<boolean> {
  try {
    await authorize(access, {}, ctx);
    return true;
  } catch (error) {
    if (error instanceof QuittanceError) return false;
    throw error;
  }
}

/** The object with an id, or null where there is none that the caller may see. Batched: one statement for all ids of a type. */
export async function findNode(ctx: Context, id: string, info: GraphQLResolveInfo): Promise<object | null> {
  const found = nodeTypesOf(info.schema).get(prefixOf(id));
  if (found === undefined || !(await isVisible(found.access, ctx))) return null;
  const object = await found.load(ctx, id, columnsOfType(info, found.type));
  if (object !== null) typeNames.set(object, found.type.name);
  return object;
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'The object with this id; null where there is none that the caller may see.',
    access: { authenticated: true },
    args: { id: t.arg.id({ required: true, description: 'Id of an object of any type.' }) },
    resolve: (_root, { id }, ctx, info) => findNode(ctx, id, info),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'The objects with these ids, in their order; null in the place of each that does not exist or that the caller may not see.',
    access: { authenticated: true },
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    args: {
      ids: t.arg.idList({
        required: true,
        rule: { minItems: 1, maxItems: 100 },
        description: 'Ids of objects of any type, 1 to 100.',
      }),
    },
    resolve: (_root, { ids }, ctx, info) => Promise.all(ids.map((id) => findNode(ctx, id, info))),
  }),
);
