import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../context.ts';
import type { Documents, Run } from './documents.ts';
import { compileOperation } from './jit.ts';
import type { Budget } from './limits.ts';
import { checkParameters } from './request-shape.ts';

// How queries and mutations are executed, whichever way they came.

/** Where a line and column lie in a text, counted in characters from 0. */
function positionOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  const before = text.split(/\r\n|[\n\r]/g, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0) + column - 1;
}

/** An error of a compiled operation as the interpreter would have made it; the compiler's own has neither extensions nor a source. */
function asInterpreted(error: GraphQLError, document: DocumentNode): GraphQLError {
  const source = document.loc?.source;
  return new GraphQLError(error.message, {
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    ...(source === undefined
      ? {}
      : { source, positions: (error.locations ?? []).map((location) => positionOf(source.body, location)) }),
  });
}

const interpreted = (result: ExecutionResult, document: DocumentNode): ExecutionResult =>
  result.errors === undefined
    ? result
    : { ...result, errors: result.errors.map((error) => asInterpreted(error, document)) };

/** Runs a compiled operation of a document. */
const runOf =
  (document: DocumentNode, { query }: CompiledQuery): Run =>
  ({ rootValue, contextValue, variableValues }) => {
    const result = query(rootValue, contextValue, variableValues);
    return result instanceof Promise
      ? result.then((settled) => interpreted(settled, document))
      : interpreted(result, document);
  };

/** The function an operation of a document is compiled to, on first sight; null where that cannot be done. It lives as long as its document. */
function compiledRun(documents: Documents, { schema, document, operationName }: ExecutionArgs): Run | null {
  const runs = documents.of(document)?.runs;
  const name = operationName ?? '';
  const known = runs?.get(name);
  if (known !== undefined) return known;
  const compiled = compileOperation(schema, document, operationName ?? undefined);
  const run = isCompiledQuery(compiled) ? runOf(document, compiled) : null;
  runs?.set(name, run);
  return run;
}

/** Executes a query or mutation of a validated document: compiled, or interpreted where it cannot be. */
export function executeOperation(
  documents: Documents,
  args: ExecutionArgs,
): ExecutionResult | Promise<ExecutionResult> {
  const run = compiledRun(documents, args);
  return run === null ? (execute(args) as ExecutionResult | Promise<ExecutionResult>) : run(args);
}

/** What a client asks for. */
export type OperationInput = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
};

/**
 * Reads, validates, limits and executes what a client asks for. What is wrong with the document or its variables is in the result. Null for
 * what only a server of GraphQL answers: a subscription, which answers more than once, and a document that has no such operation.
 */
export async function executeInput(
  documents: Documents,
  { query, variables, operationName }: OperationInput,
  ctx: RequestContext,
  budget: Budget,
): Promise<ExecutionResult | null> {
  try {
    checkParameters({ variables, operationName });
    const document = documents.read(query, budget);
    const errors = documents.validate(document);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation === undefined || operation === OperationTypeNode.SUBSCRIPTION) return null;
    documents.spendCost(document, operationName, variables, budget);
    return await executeOperation(documents, {
      schema: documents.schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: ctx,
    });
  } catch (error) {
    // Whatever it is, it is shown as every other failure.
    return { errors: [error as GraphQLError] };
  }
}
