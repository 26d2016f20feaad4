import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql';
import { introspectionCost } from './introspection-cost.ts';

/** Sizes of a document, measured before validation. */
export type Figures = {
  /** Number of fields, inline fragments, and fragment spreads after all fragments are expanded. */
  readonly selections: number;
  /** Number of field pairs with the same response name and parent. Validation compares each pair. */
  readonly overlaps: number;
  /** Number of aliased fields. */
  readonly aliases: number;
  /** Number of `__schema` selections with different response names in all operations. */
  readonly __schema: number;
  /** Number of `__type` selections with different response names in all operations. */
  readonly __type: number;
  /** Introspection cost. See `introspectionCost`. */
  readonly introspection: number;
};

type FigureLimits = {
  readonly selections: number;
  readonly overlaps: number;
  readonly aliases: number;
  readonly depth: number;
};

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Counts the tokens in a document, without comments. Stops at `most` + 1. Throws GraphQLError for invalid tokens and for more than
 * `nesting` levels of brackets, which could overflow the parser's stack.
 */
export function countTokens(text: string, most: number, nesting: number): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF && count <= most; token = lexer.advance()) {
    count++;
    if (opening.has(token.kind)) depth++;
    else if (closing.has(token.kind)) depth--;
    if (depth > nesting)
      throw new GraphQLError(`The brackets of the document are nested more than ${nesting} levels deep.`);
  }
  return count;
}

type Totals = {
  selections: number;
  overlaps: number;
  aliases: number;
  __schema: number;
  __type: number;
};

/** Number and selection sets of the fields that share a response name and a parent. */
type Place = { count: number; readonly below: SelectionSetNode[] };

/** Counts selections after expanding fragments. Throws as soon as a limit is exceeded, which limits the work. */
class Counter {
  readonly totals: Totals = { selections: 0, overlaps: 0, aliases: 0, __schema: 0, __type: 0 };
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #limits: FigureLimits;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>, limits: FigureLimits) {
    this.#fragments = fragments;
    this.#limits = limits;
  }

  #add(figure: keyof FigureLimits & keyof Totals, amount: number): void {
    this.totals[figure] += amount;
    const most = this.#limits[figure];
    if (this.totals[figure] > most)
      throw new GraphQLError(`The documents of a request can have up to ${most} ${figure}.`);
  }

  /** Counts the selections in sets that are merged into one response object at `depth`. The root has depth 1. */
  count(sets: readonly SelectionSetNode[], depth: number): void {
    if (depth > this.#limits.depth)
      throw new GraphQLError(`The operation is more than ${this.#limits.depth} levels deep.`);
    const places = new Map<string, Place>();
    const spread = new Map<string, number>();
    for (const set of sets) this.#collect(set, places, spread);
    for (const { count } of places.values()) this.#add('overlaps', (count * (count - 1)) / 2);
    this.#add('overlaps', (spread.size * (spread.size - 1)) / 2);
    for (const { below } of places.values()) if (below.length > 0) this.count(below, depth + 1);
  }

  #collect({ selections }: SelectionSetNode, places: Map<string, Place>, spread: Map<string, number>): void {
    for (const selection of selections) {
      this.#add('selections', 1);
      if (selection.kind === Kind.INLINE_FRAGMENT) this.#collect(selection.selectionSet, places, spread);
      else if (selection.kind === Kind.FIELD) {
        if (selection.alias !== undefined) this.#add('aliases', 1);
        const place = places.getOrInsertComputed((selection.alias ?? selection.name).value, () => ({
          count: 0,
          below: [],
        }));
        const { value: field } = selection.name;
        if (place.count === 0 && (field === '__schema' || field === '__type')) this.totals[field]++;
        place.count++;
        if (selection.selectionSet !== undefined) place.below.push(selection.selectionSet);
      } else {
        const name = selection.name.value;
        const times = spread.get(name) ?? 0;
        spread.set(name, times + 1);
        const fragment = this.#fragments.get(name);
        // A fragment that is spread again in the same position adds no further fields.
        if (times === 0 && fragment !== undefined) this.#collect(fragment.selectionSet, places, spread);
      }
    }
  }
}

/**
 * Returns the total sizes of a document. Unused fragments are included because validation checks them too. Throws GraphQLError if a limit is
 * exceeded.
 */
export function figuresOf(schema: GraphQLSchema, document: DocumentNode, limits: FigureLimits): Figures {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const counter = new Counter(fragments, limits);
  let introspection = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    const { __schema, __type } = counter.totals;
    counter.count([definition.selectionSet], 1);
    // Discards the introspection counts of a fragment definition, because they are added at each spread.
    if (definition.kind === Kind.FRAGMENT_DEFINITION) Object.assign(counter.totals, { __schema, __type });
    introspection += introspectionCost(schema, definition.selectionSet, fragments);
  }
  return { ...counter.totals, introspection };
}
