import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { App } from '../../request/context.ts';
import { withinLimit } from './response-limit.ts';

/** Request limits, applied to the totals of all operations in a request. A request that exceeds a limit is rejected before execution. */
export const limits = {
  /** Number of characters in the documents, including comments. */
  characters: 32_768,
  /** Number of tokens in the documents. */
  tokens: 4_000,
  /** Number of fields and fragments after all fragments are expanded. */
  selections: 4_000,
  /** Number of field pairs with the same response name and parent. */
  overlaps: 2_000,
  aliases: 50,
  /** Maximum nesting depth of brackets. */
  nesting: 100,
  depth: 20,
  /** Maximum cost. A field costs 1, or more for large values and expensive work, multiplied by the sizes of the enclosing pages. */
  cost: 50_000,
  /** Number of `__schema` and `__type` selections with different response names. */
  __schema: 50,
  __type: 50,
  /** Number of operations in a batch. */
  batch: 10,
} as const;

/** Lower limits for anonymous requests. */
const anonymousLimits = { tokens: 1_000, overlaps: 1_000, __schema: 1, __type: 1 } as const;

/** Names of the sizes that are summed over all operations in a request. */
type Spendable =
  | 'characters'
  | 'tokens'
  | 'selections'
  | 'overlaps'
  | 'aliases'
  | '__schema'
  | '__type'
  | 'cost';

/** Limits that remain for the rest of a request. */
export class Budget {
  readonly #most: Readonly<Record<Spendable, number>>;
  readonly #left: Record<Spendable, number>;
  #bytes = 0;

  constructor(isAnonymous: boolean) {
    this.#most = isAnonymous ? { ...limits, ...anonymousLimits } : limits;
    this.#left = { ...this.#most };
  }

  /** Subtracts the sizes of a document from the limits. Throws GraphQLError if a limit is exceeded. */
  spend(figures: Partial<Readonly<Record<Exclude<Spendable, 'cost'>, number>>>): void {
    for (const [kind, amount] of Object.entries(figures) as [Exclude<Spendable, 'cost'>, number][]) {
      if (amount > this.#left[kind])
        throw new GraphQLError(`The documents of a request can have up to ${this.#most[kind]} ${kind}.`);
      this.#left[kind] -= amount;
    }
  }

  /** Adds the size of a result to the size of the response. Returns an error result if the response is too large. */
  spendResponse(app: Pick<App, 'config'>, result: ExecutionResult): ExecutionResult {
    return withinLimit(app, result, this.#bytes, (bytes) => {
      this.#bytes = bytes;
    });
  }

  /** Subtracts the cost of an operation from the maximum cost. Throws GraphQLError if the limit is exceeded. */
  spendCost(cost: number): void {
    const { cost: left } = this.#left;
    const earlier = this.#most.cost - left;
    const before = earlier === 0 ? '' : ` in a request, and its other operations cost ${earlier}`;
    if (cost > left) {
      const rule = `The operation costs ${cost}. Up to ${this.#most.cost} are allowed${before}.`;
      throw new GraphQLError(`${rule} Request smaller pages with \`first\`, or fewer fields.`);
    }
    this.#left.cost -= cost;
  }
}

/** Returns the document with a single operation, so that the costs of other operations aren't included. */
const withOnly = ({ kind, definitions }: DocumentNode, operation: OperationDefinitionNode): DocumentNode => ({
  kind,
  definitions: definitions.filter((each) => each === operation || each.kind === Kind.FRAGMENT_DEFINITION),
});

/**
 * Returns the cost of an operation, calculated from its fields and page sizes. The document must be valid. Throws GraphQLError if the
 * operation is nested too deeply or variables are invalid.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: object,
): number {
  const operation = getOperationAST(document, operationName);
  // A missing operation costs nothing here, because the executor reports it.
  if (operation == null) return 0;
  const { complexity, depth } = complexityFromQuery(withOnly(document, operation), {
    schema,
    variables: { ...variables },
    ctx: {},
  });
  if (depth > limits.depth)
    throw new GraphQLError(`The operation is ${depth} levels deep. Up to ${limits.depth} are allowed.`);
  return complexity;
}
