import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';

/** What a request may ask for, with all of its operations together. More is rejected before anything is resolved. */
export const limits = {
  /** Characters of the documents, comments included. */
  characters: 32_768,
  /** Words and signs of the documents. */
  tokens: 4_000,
  /** Fields and fragments, each as often as fragments repeat it. */
  selections: 4_000,
  /** Pairs of fields that share a place in the answer. */
  overlaps: 2_000,
  aliases: 50,
  /** Brackets in brackets. */
  nesting: 100,
  depth: 20,
  /** One per field, times the page size of the lists above it. */
  cost: 50_000,
  /** Operations in one HTTP request. */
  batch: 10,
} as const;

/** What differs for a request without an API key, a page token or a session. */
const anonymousLimits = { tokens: 1_000, overlaps: 1_000 } as const;

/** What the operations of a request are counted by together. */
type Spendable = 'characters' | 'tokens' | 'selections' | 'overlaps' | 'aliases' | 'cost';

/** What is left of the limits for the operations of one request. */
export class Budget {
  readonly #most: Readonly<Record<Spendable, number>>;
  readonly #left: Record<Spendable, number>;

  constructor(isAnonymous: boolean) {
    this.#most = isAnonymous ? { ...limits, ...anonymousLimits } : limits;
    this.#left = { ...this.#most };
  }

  /** Takes figures of a document from what is left. Throws GraphQLError where one of them is more. */
  spend(figures: Partial<Readonly<Record<Exclude<Spendable, 'cost'>, number>>>): void {
    for (const [kind, amount] of Object.entries(figures) as [Exclude<Spendable, 'cost'>, number][]) {
      if (amount > this.#left[kind])
        throw new GraphQLError(`The documents of a request have at most ${this.#most[kind]} ${kind}.`);
      this.#left[kind] -= amount;
    }
  }

  /** Takes the cost of an operation from what is left. Throws GraphQLError where it is more. */
  spendCost(cost: number): void {
    const { cost: left } = this.#left;
    const earlier = this.#most.cost - left;
    const before = earlier === 0 ? '' : ` in a request, whose other operations cost ${earlier}`;
    if (cost > left) {
      const rule = `The operation costs ${cost}; at most ${this.#most.cost} are allowed${before}.`;
      throw new GraphQLError(`${rule} Ask for smaller pages with \`first\`, or for fewer fields.`);
    }
    this.#left.cost -= cost;
  }
}

/** The document with one of its operations alone, which is then the one whose cost is worked out. */
const withOnly = ({ kind, definitions }: DocumentNode, operation: OperationDefinitionNode): DocumentNode => ({
  kind,
  definitions: definitions.filter((each) => each === operation || each.kind === Kind.FRAGMENT_DEFINITION),
});

/**
 * What an operation of a validated document costs by its fields and the sizes of its pages. Throws GraphQLError where it is too deep, and for
 * variables that do not fit.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: object,
): number {
  const operation = getOperationAST(document, operationName);
  // Execution itself tells that there is no such operation.
  if (operation == null) return 0;
  const { complexity, depth } = complexityFromQuery(withOnly(document, operation), {
    schema,
    variables: { ...variables },
    ctx: {},
  });
  if (depth > limits.depth)
    throw new GraphQLError(`The operation is ${depth} levels deep; at most ${limits.depth} are allowed.`);
  return complexity;
}
