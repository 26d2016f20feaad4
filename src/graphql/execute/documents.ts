import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { countTokens, type Figures, figuresOf } from '../declare/figures.ts';
import { type Budget, costOf, limits } from '../declare/limits.ts';
import { TrustedDocuments } from '../declare/trusted-documents.ts';
import { checkVariables, namedErrors } from '../input/input-errors.ts';
import { deferErrors, defersParts } from './deferred.ts';

/** Function that executes a compiled operation. */
export type Run = (
  args: Pick<ExecutionArgs, 'rootValue' | 'contextValue' | 'variableValues'>,
) => ExecutionResult | Promise<ExecutionResult>;

/** Parsed document with cached results. Operations are identified by name; an unnamed operation has the name ''. */
export type Prepared = {
  readonly document: DocumentNode;
  readonly figures: Figures & { readonly characters: number; readonly tokens: number };
  /** True if the document contains deferred fragments. */
  readonly isDeferred: boolean;
  /** Validation errors. `null` if the document hasn't been validated yet. */
  errors: readonly GraphQLError[] | null;
  /** Costs of the operations without variables, by operation name. */
  readonly costs: Map<string, number>;
  /** Compiled operations by name. `null` if the operation can't be compiled. */
  readonly runs: Map<string, Run | null>;
};

/** Maximum memory in bytes for cached documents. */
const maxBytes = 64 * 1_024 * 1_024;

/** Estimated memory use in bytes: per character, per comment, and per token (including its nodes and compiled code). */
const bytesOf = { character: 2, comment: 150, token: 1_000 } as const;

const maxErrors = 20;

function commentsIn({ loc }: DocumentNode): number {
  let count = 0;
  for (let token = loc?.startToken ?? null; token !== null; token = token.next)
    if (token.kind === 'Comment') count++;
  return count;
}

const sizeOf = ({ document, figures }: Prepared): number =>
  figures.characters * bytesOf.character +
  figures.tokens * bytesOf.token +
  commentsIn(document) * bytesOf.comment;

/** Returns the document sizes to subtract from the budget before execution. */
const spentBy = ({ introspection: _cost, ...spent }: Prepared['figures']) => spent;

const isWithoutVariables = (document: DocumentNode): boolean =>
  document.definitions.every(
    (definition) =>
      !('variableDefinitions' in definition) || (definition.variableDefinitions ?? []).length === 0,
  );

/**
 * Cache for GraphQL documents. Each document is parsed, validated, and measured once. If the cache exceeds 64 MB, the least recently used
 * documents are removed.
 */
export class Documents {
  readonly schema: GraphQLSchema;
  /** Documents that clients can reference by hash, and the setting that restricts other documents. */
  readonly trusted: TrustedDocuments;
  readonly #byText = new LRUCache<string, Prepared>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  readonly #byDocument = new WeakMap<DocumentNode, Prepared>();

  constructor(schema: GraphQLSchema, trusted = new TrustedDocuments()) {
    this.schema = schema;
    this.trusted = trusted;
  }

  /** Returns the cached document with this text. */
  find(text: string): Prepared | undefined {
    return this.#byText.get(text);
  }

  /** Returns the cache entry for a parsed document. */
  of(document: DocumentNode): Prepared | undefined {
    return this.#byDocument.get(document);
  }

  /** Parses a document and subtracts its size from the budget. Throws GraphQLError if the document is invalid or exceeds the budget. */
  read(text: string, budget: Budget): DocumentNode {
    const known = this.find(text);
    if (known !== undefined) {
      budget.spend(spentBy(known.figures));
      return known.document;
    }
    budget.spend({ characters: text.length });
    const tokens = countTokens(text, limits.tokens, limits.nesting);
    budget.spend({ tokens });
    const document = parse(text);
    const figures = figuresOf(this.schema, document, limits);
    budget.spend(spentBy({ ...figures, characters: 0, tokens: 0 }));
    const prepared: Prepared = {
      document,
      isDeferred: defersParts(document),
      figures: { ...figures, characters: text.length, tokens },
      errors: null,
      costs: new Map(),
      runs: new Map(),
    };
    this.#byText.set(text, prepared);
    this.#byDocument.set(document, prepared);
    return document;
  }

  /** Returns the validation errors of a document, up to a maximum number. */
  validate(document: DocumentNode): readonly GraphQLError[] {
    const prepared = this.of(document);
    const errors = prepared?.errors ?? this.#errorsOf(document);
    if (prepared !== undefined) prepared.errors = errors;
    return errors;
  }

  #errorsOf(document: DocumentNode): readonly GraphQLError[] {
    const errors = validate(this.schema, document, undefined, { maxErrors });
    if (errors.length > 0) return namedErrors(this.schema, document, errors);
    return this.defers(document) ? deferErrors(this.schema, document) : [];
  }

  /** True if the document contains deferred fragments. */
  defers(document: DocumentNode): boolean {
    return this.of(document)?.isDeferred === true;
  }

  #costOf(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Readonly<Record<string, unknown>>,
  ): number {
    try {
      return costOf(this.schema, document, operationName, variables);
    } catch (error) {
      checkVariables(this.schema, document, operationName, variables);
      throw error;
    }
  }

  /**
   * Subtracts the cost of an operation from the budget and returns the cost. The document must be valid. Throws GraphQLError if the budget
   * is exceeded or variables are invalid.
   */
  spendCost(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Readonly<Record<string, unknown>>,
    budget: Budget,
  ): number {
    const prepared = this.of(document);
    const name = operationName ?? '';
    const fields = prepared?.costs.get(name) ?? this.#costOf(document, operationName, variables);
    if (isWithoutVariables(document)) prepared?.costs.set(name, fields);
    const cost = fields + (prepared?.figures.introspection ?? 0);
    budget.spendCost(cost);
    return cost;
  }
}
