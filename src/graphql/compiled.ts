import { type DocumentNode, type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import { type CompiledQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { compileOperation } from './jit.ts';

/** Where a line and column lie in a text, counted in characters from 0. */
function positionOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const before = text.split(/\r\n|[\n\r]/g, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0) + column - 1;
}

/** An error of a compiled operation as the interpreter would have made it; the compiler's own has neither extensions nor a source. */
function asInterpreted(error: GraphQLError, document: DocumentNode): GraphQLError {
  const source = document.loc?.source;
  return new GraphQLError(error.message, {
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    ...(source === undefined ? {} : { source, positions: (error.locations ?? []).map((location) => positionOf(source.body, location)) }),
  });
}

const interpreted = (result: ExecutionResult, document: DocumentNode): ExecutionResult =>
  result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => asInterpreted(error, document)) };

type Run = (args: Pick<ExecutionArgs, 'rootValue' | 'contextValue' | 'variableValues'>) => ExecutionResult | Promise<ExecutionResult>;

/** What is known of an operation: asked for once, compiled, or impossible to compile. */
type Known = Run | 'asked once' | 'uncompilable';

/** Runs a compiled operation of a document. */
const runOf =
  (document: DocumentNode, { query }: CompiledQuery): Run =>
  ({ rootValue, contextValue, variableValues }) => {
    const result = query(rootValue, contextValue, variableValues);
    return result instanceof Promise ? result.then((settled) => interpreted(settled, document)) : interpreted(result, document);
  };

/** A query that was parsed, validated, run and compiled before. */
export type KnownQuery = { readonly document: DocumentNode; readonly run: Run };

const maxQueries = 500;

/** Compiled queries by their texts and the names of their operations. */
export class KnownQueries {
  readonly #byText = new Map<string, Map<string, KnownQuery>>();

  find(text: string, operationName: string | null | undefined): KnownQuery | null {
    return this.#byText.get(text)?.get(operationName ?? '') ?? null;
  }

  add(query: KnownQuery, operationName: string | null | undefined): void {
    const text = query.document.loc?.source.body;
    if (text === undefined || getOperationAST(query.document, operationName)?.operation !== OperationTypeNode.QUERY) return;
    if (this.#byText.size >= maxQueries) this.#byText.clear();
    const named = this.#byText.get(text) ?? new Map<string, KnownQuery>();
    this.#byText.set(text, named.set(operationName ?? '', query));
  }
}

/**
 * Runs operations that are asked for again as compiled functions; the first time they are interpreted, because compiling costs more than one
 * run. The server keeps the documents of recent operations, so the compiled form lives as long as its document, or as long as it is among `queries`.
 */
export function compiledExecution(queries: KnownQueries): Plugin {
  const known = new WeakMap<DocumentNode, Map<string, Known>>();

  const advance = ({ schema, document, operationName }: ExecutionArgs): Known => {
    const operations = known.get(document) ?? new Map<string, Known>();
    known.set(document, operations);
    const name = operationName ?? '';
    const before = operations.get(name);
    if (before !== undefined && before !== 'asked once') return before;
    const compiled = before === undefined ? null : compileOperation(schema, document, operationName ?? undefined);
    const now = compiled === null ? 'asked once' : isCompiledQuery(compiled) ? runOf(document, compiled) : 'uncompilable';
    operations.set(name, now);
    if (typeof now !== 'string') queries.add({ document, run: now }, operationName);
    return now;
  };

  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> => {
        const run = advance(args);
        return typeof run === 'string' ? executeFn(args) : run(args);
      });
    },
  };
}
