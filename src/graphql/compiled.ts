import { type DocumentNode, type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';

/** What is known of an operation: asked for once, compiled, or impossible to compile. */
type Known = CompiledQuery | 'asked once' | 'uncompilable';

/** Where a line and column lie in a text, counted in characters from 0. */
function positionOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const before = text.split(/\r\n|[\n\r]/g, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0) + column - 1;
}

/** An error of a compiled operation as the interpreter would have made it; the compiler's own has neither extensions nor a source. */
function asInterpreted(error: GraphQLError, { document }: ExecutionArgs): GraphQLError {
  const source = document.loc?.source;
  return new GraphQLError(error.message, {
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    ...(source === undefined ? {} : { source, positions: (error.locations ?? []).map((location) => positionOf(source.body, location)) }),
  });
}

const interpreted = (result: ExecutionResult, args: ExecutionArgs): ExecutionResult =>
  result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => asInterpreted(error, args)) };

/**
 * Runs operations that are asked for again as compiled functions; the first time they are interpreted, because compiling costs more than one
 * run. The server keeps the documents of recent operations, so the compiled form lives as long as its document.
 */
export function compiledExecution(): Plugin {
  const known = new WeakMap<DocumentNode, Map<string, Known>>();

  const advance = ({ schema, document, operationName }: ExecutionArgs): Known => {
    const operations = known.get(document) ?? new Map<string, Known>();
    known.set(document, operations);
    const name = operationName ?? '';
    const before = operations.get(name);
    if (before !== undefined && before !== 'asked once') return before;
    const compiled = before === undefined ? null : compileQuery(schema, document, operationName ?? undefined);
    const now = compiled === null ? 'asked once' : isCompiledQuery(compiled) ? compiled : 'uncompilable';
    operations.set(name, now);
    return now;
  };

  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> => {
        const operation = advance(args);
        if (typeof operation === 'string') return executeFn(args);
        const result = operation.query(args.rootValue, args.contextValue, args.variableValues);
        return result instanceof Promise ? result.then((settled) => interpreted(settled, args)) : interpreted(result, args);
      });
    },
  };
}
