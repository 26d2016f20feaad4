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
import { inSpan } from '../platform/tracing/spans.ts';
import { withCost } from './cost-extension.ts';
import { checkCanDefer } from './deferred.ts';
import type { Documents, Run } from './documents.ts';
import { compileOperation } from './jit.ts';
import type { Budget } from './limits.ts';
import { checkParameters } from './request-shape.ts';
import type { DocumentParameters } from './trusted-documents.ts';

// How queries and mutations are executed, whichever way they came.

/** Executes an operation inside a span that has its name. */
function inOperationSpan(
  { document, operationName }: ExecutionArgs,
  work: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  return inSpan(
    () => {
      const operation = getOperationAST(document, operationName);
      const type = operation?.operation ?? 'query';
      const name = operation?.name?.value ?? 'unnamed';
      return {
        name: `${type} ${name}`,
        attributes: { 'graphql.operation.type': type, 'graphql.operation.name': name },
      };
    },
    work,
    (span, { errors }) => {
      if (errors !== undefined) span.setAttribute('quittance.errors', errors.length);
    },
  );
}

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
export function executeOperation(documents: Documents, args: ExecutionArgs): Promise<ExecutionResult> {
  if (documents.defers(args.document)) checkCanDefer({});
  const run = compiledRun(documents, args);
  return inOperationSpan(args, async () => (run === null ? (execute(args) as ExecutionResult) : run(args)));
}

/** What a client asks for: a document it sends or names, and which of its operations, with which values. */
export type OperationInput = DocumentParameters & {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
};

/**
 * Reads, validates, limits and executes what a client asks for. What is wrong with the document or its variables is in the result. Null for
 * what only a server of GraphQL answers: a subscription, which answers more than once, and a document that has no such operation.
 */
export async function executeInput(
  documents: Documents,
  input: OperationInput,
  ctx: RequestContext,
  budget: Budget,
): Promise<ExecutionResult | null> {
  const { variables, operationName } = input;
  try {
    checkParameters(input);
    const text = documents.trusted.textOf(input);
    if (text === undefined) return null;
    documents.trusted.check(ctx.caller, text);
    const document = documents.read(text, budget);
    const errors = documents.validate(document);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation === undefined || operation === OperationTypeNode.SUBSCRIPTION) return null;
    const cost = documents.spendCost(document, operationName, variables, budget);
    const result = await executeOperation(documents, {
      schema: documents.schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: ctx,
    });
    return withCost(result, cost, ctx);
  } catch (error) {
    // Whatever it is, it is shown as every other failure.
    return { errors: [error as GraphQLError] };
  }
}
