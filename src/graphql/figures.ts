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

/** What a document asks of its reader, counted before it is validated. */
export type Figures = {
  /** Fields, inline fragments and spreads, each as often as fragments repeat it. */
  readonly selections: number;
  /** Pairs of fields that share a place in the answer, and so have to be compared with each other. */
  readonly overlaps: number;
  /** Fields that have another name in the answer. */
  readonly aliases: number;
  /** What it asks of the schema itself, see `introspectionCost`. */
  readonly introspection: number;
};

/** The largest figures a document may have. */
type FigureLimits = {
  readonly selections: number;
  readonly overlaps: number;
  readonly aliases: number;
  readonly depth: number;
};

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Counts the tokens of a document without its comments, up to one more than `most`. Throws GraphQLError as soon as brackets lie in each other
 * more than `nesting` deep, which a parser could not follow, and for what no token begins with.
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
      throw new GraphQLError(`The brackets of the document nest more than ${nesting} levels deep.`);
  }
  return count;
}

type Totals = { selections: number; overlaps: number; aliases: number };

/** The fields of an answer that share a place: how many there are, and what is selected of them. */
type Place = { count: number; readonly below: SelectionSetNode[] };

/** Counts what operations select, each fragment at every place it is spread. Throws as soon as a limit is passed, so that the time it takes is bounded. */
class Counter {
  readonly totals: Totals = { selections: 0, overlaps: 0, aliases: 0 };
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #limits: FigureLimits;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>, limits: FigureLimits) {
    this.#fragments = fragments;
    this.#limits = limits;
  }

  #add(figure: keyof Totals, amount: number): void {
    this.totals[figure] += amount;
    const most = this.#limits[figure];
    if (this.totals[figure] > most)
      throw new GraphQLError(`The documents of a request have at most ${most} ${figure}.`);
  }

  /** Counts selection sets that are merged into one object of the answer, `depth` levels below the root. */
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
        place.count++;
        if (selection.selectionSet !== undefined) place.below.push(selection.selectionSet);
      } else {
        const name = selection.name.value;
        const times = spread.get(name) ?? 0;
        spread.set(name, times + 1);
        const fragment = this.#fragments.get(name);
        // One fragment at one place of the answer is the same however often it is spread there.
        if (times === 0 && fragment !== undefined) this.#collect(fragment.selectionSet, places, spread);
      }
    }
  }
}

/**
 * The figures of a parsed document, all of its operations together. Fragments nobody spreads count as if they were operations: they are
 * validated too. Throws GraphQLError for a document beyond the limits. Takes time in proportion to the limits at most.
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
    counter.count([definition.selectionSet], 1);
    introspection += introspectionCost(schema, definition.selectionSet, fragments);
  }
  return { ...counter.totals, introspection };
}
