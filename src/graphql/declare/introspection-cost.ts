import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Cost of the standard introspection query. Other introspection queries cost proportionally more or less. */
const wholeSchemaCost = 30_000;

/** Cost of a description in an introspection response. A name costs 1. */
const descriptionCost = 5;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Average and maximum lengths of the lists in an introspection response, over all types of the schema. */
type Sizes = { readonly average: ReadonlyMap<string, number>; readonly largest: ReadonlyMap<string, number> };

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function sizesOf(schema: GraphQLSchema): Sizes {
  const types = Object.values(schema.getTypeMap());
  const fieldCounts: number[] = [];
  const argumentCounts: number[] = [];
  const inputCounts: number[] = [];
  const valueCounts: number[] = [];
  const count = (map: object): number => Object.keys(map).length;
  for (const type of types) {
    if (isObjectType(type) || isInterfaceType(type)) {
      fieldCounts.push(count(type.getFields()));
      for (const field of Object.values(type.getFields())) argumentCounts.push(field.args.length);
    } else if (isInputObjectType(type)) inputCounts.push(count(type.getFields()));
    else if (isEnumType(type)) valueCounts.push(type.getValues().length);
  }
  const directives = schema.getDirectives().length;
  const mean = (counts: readonly number[], among: number): number => sum(counts) / Math.max(1, among);
  const most = (counts: readonly number[]): number => Math.max(1, ...counts);
  return {
    average: new Map([
      ['types', types.length],
      ['fields', mean(fieldCounts, types.length)],
      ['args', mean(argumentCounts, argumentCounts.length)],
      ['inputFields', mean(inputCounts, types.length)],
      ['enumValues', mean(valueCounts, types.length)],
      ['possibleTypes', 1],
      ['interfaces', 1],
      ['directives', directives],
    ]),
    largest: new Map([
      ['types', types.length],
      ['fields', most(fieldCounts)],
      ['args', most(argumentCounts)],
      ['inputFields', most(inputCounts)],
      ['enumValues', most(valueCounts)],
      ['possibleTypes', types.length],
      ['interfaces', types.length],
      ['directives', directives],
    ]),
  };
}

/** Introspection fields that return another type. The cost assumes the largest type in the schema. */
const elsewhere: ReadonlySet<string> = new Set([
  'type',
  'ofType',
  'possibleTypes',
  'interfaces',
  'queryType',
  'mutationType',
  'subscriptionType',
]);

/** Counts the values in an introspection response. */
class ValueCounter {
  readonly #fragments: Fragments;
  readonly #sizes: Sizes;
  readonly #known = {
    average: new Map<SelectionSetNode, number>(),
    largest: new Map<SelectionSetNode, number>(),
  };

  constructor(fragments: Fragments, sizes: Sizes) {
    this.#fragments = fragments;
    this.#sizes = sizes;
  }

  /**
   * Returns the number of values that a selection returns for one object. `size` selects average or maximum list lengths. Infinite for
   * recursive fragments.
   */
  count(set: SelectionSetNode, size: keyof Sizes): number {
    const known = this.#known[size].get(set);
    if (known !== undefined) return known;
    this.#known[size].set(set, Number.POSITIVE_INFINITY);
    const total = sum(set.selections.map((selection) => this.#countOne(selection, size)));
    this.#known[size].set(set, total);
    return total;
  }

  #countOne(selection: SelectionNode, size: keyof Sizes): number {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.count(selection.selectionSet, size);
    const name = selection.name.value;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = this.#fragments.get(name);
      return fragment === undefined ? 0 : this.count(fragment.selectionSet, size);
    }
    if (selection.selectionSet === undefined) return name === 'description' ? descriptionCost : 1;
    const isAverage = (size === 'average' || name === 'types') && !elsewhere.has(name);
    return (
      1 +
      (this.#sizes[size].get(name) ?? 1) *
        this.count(selection.selectionSet, isAverage ? 'average' : 'largest')
    );
  }
}

type Model = { readonly sizes: Sizes; readonly whole: number };
const models = new WeakMap<GraphQLSchema, Model>();

function modelOf(schema: GraphQLSchema): Model {
  return models.getOrInsertComputed(schema, () => {
    const sizes = sizesOf(schema);
    const { definitions } = parse(
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
      }),
    );
    const fragments = new Map(
      definitions.flatMap((each) =>
        each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
      ),
    );
    const [query] = definitions.flatMap((each) =>
      each.kind === Kind.OPERATION_DEFINITION ? [each.selectionSet] : [],
    );
    const whole = query === undefined ? 1 : new ValueCounter(fragments, sizes).count(query, 'largest');
    return { sizes, whole };
  });
}

/**
 * Returns the introspection cost of a root selection, relative to the standard introspection query. 0 if it contains neither `__schema` nor `__type`.
 */
export function introspectionCost(
  schema: GraphQLSchema,
  root: SelectionSetNode,
  fragments: Fragments,
): number {
  const selections = root.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD ? [selection] : [],
  );
  const asking = selections.filter(({ name }) => name.value === '__schema' || name.value === '__type');
  const inline = root.selections.flatMap((selection) =>
    selection.kind === Kind.INLINE_FRAGMENT ? [selection.selectionSet] : [],
  );
  const nested = sum(inline.map((set) => introspectionCost(schema, set, fragments)));
  if (asking.length === 0) return nested;
  const { sizes, whole } = modelOf(schema);
  const counter = new ValueCounter(fragments, sizes);
  const values = sum(
    asking.map(({ selectionSet }) =>
      selectionSet === undefined ? 1 : counter.count(selectionSet, 'largest'),
    ),
  );
  return nested + Math.ceil((values * wholeSchemaCost) / whole);
}
