import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** Maximum number of scalar and object fields in an example selection, by nesting depth. */
const sizes = [
  { leaves: 8, objects: 2 },
  { leaves: 4, objects: 1 },
  { leaves: 3, objects: 0 },
] as const;

/** Fields that are most useful in examples, in order of preference. */
const first = [
  'id',
  'code',
  'name',
  'fullName',
  'email',
  'status',
  'type',
  'amount',
  'total',
  'price',
  'currency',
];

const rankOf = ({ name }: Field): number => (first.includes(name) ? first.indexOf(name) : first.length);

/** Returns the fields that an example can select because they require no arguments, most useful fields first. */
const selectable = (type: GraphQLCompositeType): Field[] =>
  'getFields' in type
    ? Object.values(type.getFields())
        .filter(
          ({ name, args, deprecationReason }) =>
            name !== 'object' && deprecationReason == null && !args.some(isRequiredArgument),
        )
        .sort((a, b) => rankOf(a) - rankOf(b))
    : [];

const isLeaf = ({ type }: Field): boolean => isLeafType(getNamedType(type));

/** True if the type has at least one selectable scalar field. */
const hasLeaves = (type: GraphQLCompositeType): boolean => selectable(type).some(isLeaf);

/** Returns the example selection for a page of results: the items and the pagination information. */
function pageSelection(schema: GraphQLSchema, fields: ReadonlyMap<string, Field>): string | null {
  const edges = fields.get('edges');
  if (edges === undefined || !fields.has('pageInfo')) return null;
  const edge = getNamedType(edges.type);
  const node = isObjectType(edge) ? edge.getFields()['node'] : undefined;
  if (node === undefined) return null;
  const items = selectionOf(schema, getNamedType(node.type) as GraphQLCompositeType, 1);
  return `${fields.has('nodes') ? `nodes ${items}` : `edges { node ${items} }`} pageInfo { hasNextPage endCursor }`;
}

/** Returns a selection with a fragment for each possible type. Fields with the same name must have the same type. */
function variantsSelection(
  schema: GraphQLSchema,
  type: GraphQLCompositeType,
  common: readonly Field[],
): string {
  if (!isAbstractType(type)) return '';
  const types = new Map(common.map(({ name, type: of }) => [name, String(of)]));
  return schema
    .getPossibleTypes(type)
    .slice(0, 4)
    .map((variant) => {
      const own = selectable(variant)
        .filter((field) => isLeaf(field) && !common.some(({ name }) => name === field.name))
        .filter(({ name, type: of }) => (types.get(name) ?? String(of)) === String(of))
        .slice(0, 4);
      for (const { name, type: of } of own) types.set(name, String(of));
      return own.length === 0 ? '' : `... on ${variant.name} { ${own.map(({ name }) => name).join(' ')} }`;
    })
    .join(' ');
}

/** Returns an example selection with the first scalar fields, some nested objects, and the items on result pages. */
export function selectionOf(schema: GraphQLSchema, type: GraphQLCompositeType, depth = 0): string {
  const fields = selectable(type);
  const page = pageSelection(schema, new Map(fields.map((field) => [field.name, field])));
  if (page !== null) return `{ ${page} }`;
  const { leaves, objects } = sizes[Math.min(depth, sizes.length - 1)] ?? sizes[2];
  const values = fields.filter(isLeaf).slice(0, leaves);
  const inner = fields
    .filter((field) => !isLeaf(field))
    .map(({ name, type: of }) => ({ name, of: getNamedType(of) as GraphQLCompositeType }))
    .filter(({ of }) => hasLeaves(of) && !of.name.endsWith('Connection'))
    .slice(0, values.length === 0 ? 2 : objects)
    .map(({ name, of }) => `${name} ${selectionOf(schema, of, depth + 1)}`);
  const variants = variantsSelection(schema, type, values);
  return `{ ${[...values.map(({ name }) => name), ...inner, variants].filter((part) => part !== '').join(' ')} }`;
}
