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
import { inSpan } from '../../platform/tracing/spans.ts';
import type { Context, RequestContext } from '../../request/context.ts';
import type { Budget } from '../declare/limits.ts';
import { admitResponse } from '../declare/response-limit.ts';
import type { DocumentParameters } from '../declare/trusted-documents.ts';
import { withCost } from './cost-extension.ts';
import { checkCanDefer } from './deferred.ts';
import type { Documents, Run } from './documents.ts';
import { compileOperation } from './jit.ts';
import { checkParameters } from './request-shape.ts';

// Transport-independent execution of queries and mutations.

/** Executes an operation in a tracing span that is named after the operation. */
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

/** Converts a line and a column to the character offset in the document, which starts at 0. */
function positionOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  const before = text.split(/\r\n|[\n\r]/g, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0) + column - 1;
}

/** Converts an error from a compiled operation to the interpreter's format. Errors from the compiler lack the source and extensions. */
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

const runOf =
  (document: DocumentNode, { query }: CompiledQuery): Run =>
  ({ rootValue, contextValue, variableValues }) => {
    const result = query(rootValue, contextValue, variableValues);
    return result instanceof Promise
      ? result.then((settled) => interpreted(settled, document))
      : interpreted(result, document);
  };

/**
 * True if the document may contain a `__proto__` key. The compiler turns input objects into JavaScript object literals,
 * where this key would set the prototype.
 */
const setsPrototype = (document: DocumentNode): boolean =>
  document.loc?.source.body.includes('__proto__') === true;

/** Returns the compiled operation, which is compiled on first use and cached with the document. `null` if compilation isn't possible. */
function compiledRun(documents: Documents, { schema, document, operationName }: ExecutionArgs): Run | null {
  const runs = documents.of(document)?.runs;
  const name = operationName ?? '';
  const known = runs?.get(name);
  if (known !== undefined) return known;
  const compiled = setsPrototype(document)
    ? null
    : compileOperation(schema, document, operationName ?? undefined);
  const run = compiled !== null && isCompiledQuery(compiled) ? runOf(document, compiled) : null;
  runs?.set(name, run);
  return run;
}

/** Executes a query or mutation. The document must be valid. Operations that can't be compiled are interpreted. */
export function executeOperation(documents: Documents, args: ExecutionArgs): Promise<ExecutionResult> {
  if (documents.defers(args.document)) checkCanDefer({});
  const run = compiledRun(documents, args);
  return inOperationSpan(args, async () => {
    const result = await (run === null ? (execute(args) as ExecutionResult) : run(args));
    try {
      const admitting = admitResponse(args.contextValue as Context, result.data);
      if (admitting !== undefined) await admitting;
      return result;
    } catch (error) {
      return { errors: [error as GraphQLError] };
    }
  });
}

/** Requested operation: the document or a reference to the document, the operation name, and the variables. */
export type OperationInput = DocumentParameters & {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
};

/**
 * Parses, validates, and executes an operation within the limits. Errors are part of the result. `null` if Yoga must handle the request,
 * because the operation is a subscription, or because there is no document or no matching operation.
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
    // The cast is safe because every error is converted for the client later.
    return { errors: [error as GraphQLError] };
  }
}
