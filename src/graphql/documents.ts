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
import { deferErrors, defersParts } from './deferred.ts';
import { countTokens, type Figures, figuresOf } from './figures.ts';
import { checkVariables, namedErrors } from './input-errors.ts';
import { type Budget, costOf, limits } from './limits.ts';
import { TrustedDocuments } from './trusted-documents.ts';

/** Runs a compiled operation. */
export type Run = (
  args: Pick<ExecutionArgs, 'rootValue' | 'contextValue' | 'variableValues'>,
) => ExecutionResult | Promise<ExecutionResult>;

/** A document that was parsed, and what was computed from it since. Its operations are keyed by their names, '' for the only one. */
export type Prepared = {
  readonly document: DocumentNode;
  readonly figures: Figures & { readonly characters: number; readonly tokens: number };
  /** Whether parts of its answer are deferred. */
  readonly isDeferred: boolean;
  /** What is wrong with it; null before it was validated. */
  errors: readonly GraphQLError[] | null;
  /** What operations without variables cost. */
  readonly costs: Map<string, number>;
  /** What operations are compiled to, those that were executed; null for one that cannot be compiled. */
  readonly runs: Map<string, Run | null>;
};

/** Bytes the documents of a process may take together. */
const maxBytes = 64 * 1_024 * 1_024;

/** About what a character, a comment, and a token with its nodes and what it is compiled to take in memory. */
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

const isWithoutVariables = (document: DocumentNode): boolean =>
  document.definitions.every(
    (definition) =>
      !('variableDefinitions' in definition) || (definition.variableDefinitions ?? []).length === 0,
  );

/** The documents of a process: each is parsed, validated and measured once, and those used last are kept while they take no more than 64 MB. */
export class Documents {
  readonly schema: GraphQLSchema;
  /** Those a client may name instead of sending, and who may send others. */
  readonly trusted: TrustedDocuments;
  readonly #byText = new LRUCache<string, Prepared>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  readonly #byDocument = new WeakMap<DocumentNode, Prepared>();

  constructor(schema: GraphQLSchema, trusted = new TrustedDocuments()) {
    this.schema = schema;
    this.trusted = trusted;
  }

  /** What is known of a text; undefined for one that is not kept. */
  find(text: string): Prepared | undefined {
    return this.#byText.get(text);
  }

  /** What is known of a document that was read here. */
  of(document: DocumentNode): Prepared | undefined {
    return this.#byDocument.get(document);
  }

  /** The document of a text, which is taken from the budget. Throws GraphQLError for a text that is none, and beyond the budget. */
  read(text: string, budget: Budget): DocumentNode {
    const known = this.find(text);
    if (known !== undefined) {
      const { characters, tokens, selections, overlaps, aliases } = known.figures;
      budget.spend({ characters, tokens, selections, overlaps, aliases });
      return known.document;
    }
    budget.spend({ characters: text.length });
    const tokens = countTokens(text, limits.tokens, limits.nesting);
    budget.spend({ tokens });
    const document = parse(text);
    const figures = figuresOf(this.schema, document, limits);
    const { selections, overlaps, aliases } = figures;
    budget.spend({ selections, overlaps, aliases });
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

  /** What is wrong with a document; the first few errors where there are many. */
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

  /** Whether parts of the answer to a document that was read here are deferred. */
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

  /** Takes the cost of an operation of a validated document from the budget, and answers it. Throws GraphQLError beyond the budget, and for variables that do not fit. */
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
