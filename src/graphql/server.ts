import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, useExecutionCancellation, type YogaServerOptions } from 'graphql-yoga';
import type { App, RequestContext } from '../context.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import type { Documents } from './documents.ts';
import { addHttpStatus, shownErrors } from './errors.ts';
import { executeOperation } from './execution.ts';
import { limits } from './limits.ts';
import { budgetOf, contextOf, type Handed } from './request-parts.ts';
import { requestShape } from './request-shape.ts';

type SetResult = (result: unknown) => void;

/** Gives resolvers the request's own context, and shows every failure as the coded error it is, or hides and logs it (PLT-71). */
const ownContextAndErrors: Plugin<Handed> = {
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const ctx = contextOf(args.contextValue);
    setExecuteFn((provided: ExecutionArgs) => executeFn({ ...provided, contextValue: ctx }));
    return { onExecuteDone: ({ result, setResult }) => void show(result, setResult as SetResult, ctx) };
  },
  onSubscribe: ({ args, subscribeFn, setSubscribeFn }) => {
    const ctx = contextOf(args.contextValue);
    setSubscribeFn((provided: ExecutionArgs) => subscribeFn({ ...provided, contextValue: ctx }));
    return {
      onSubscribeResult: ({ result, setResult }) => {
        show(result, setResult as SetResult, ctx);
        return {
          onNext: ({ result: next, setResult: setNext }) => void show(next, setNext as SetResult, ctx),
        };
      },
    };
  },
  onResultProcess: ({ result, setResult, serverContext }) => {
    const ctx = contextOf(serverContext);
    if (Array.isArray(result)) {
      const each: unknown[] = [...result];
      for (const [index, one] of result.entries())
        show(one, (changed) => each.splice(index, 1, changed), ctx);
      return setResult(each as never);
    }
    const shown = show(result, setResult as SetResult, ctx);
    // Only a result with errors shows some.
    for (const error of shown) addHttpStatus(error, result as ExecutionResult);
  },
};

/** Replaces the errors of a result by what is shown of them, and answers those. */
function show(result: unknown, setResult: SetResult, ctx: RequestContext): GraphQLError[] {
  if (typeof result !== 'object' || result === null || !('errors' in result)) return [];
  const errors = shownErrors(result as { readonly errors: readonly Error[] }, ctx);
  setResult({ ...result, errors });
  return errors;
}

/** Reads documents once and keeps them, within the budget of the request, and takes the cost of operations from it before anything runs. */
const preparedDocuments = (documents: Documents): Plugin<Handed> => {
  const spendCost = ({
    document,
    operationName,
    variableValues,
    contextValue,
  }: ExecutionArgs): { errors: GraphQLError[] } | null => {
    try {
      documents.spendCost(document, operationName, variableValues ?? {}, budgetOf(contextValue));
      return null;
    } catch (error) {
      // Whatever it is, it is shown as every other failure.
      return { errors: [error as GraphQLError] };
    }
  };
  return {
    onParse: ({ context: ctx, setParseFn }) =>
      setParseFn((source: string) => documents.read(String(source), budgetOf(ctx))),
    onValidate: ({ params, setResult }) => setResult([...documents.validate(params.documentAST)]),
    onExecute: ({ args, setResultAndStopExecution }) => {
      const rejected = spendCost(args as unknown as ExecutionArgs);
      if (rejected !== null) setResultAndStopExecution(rejected);
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const rejected = spendCost(args as unknown as ExecutionArgs);
      if (rejected !== null) setResultAndStopExecution(rejected as never);
    },
  };
};

/** Executes every operation the way all others are executed. */
const compiledExecution = (documents: Documents): Plugin => ({
  onExecute: ({ setExecuteFn }) => setExecuteFn((args: ExecutionArgs) => executeOperation(documents, args)),
});

/** What the GraphQL server of a process is made of. */
type Parts = {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly rateLimits: RateLimits;
  /** Plugins that execute operations inside the context of the request. */
  readonly executors: readonly Plugin[];
  /** Renders the editor. */
  readonly renderGraphiQL: NonNullable<YogaServerOptions<object, Handed>['renderGraphiQL']>;
};

/**
 * The GraphQL server of a process: queries and mutations over HTTP, live fields over server-sent events, and the same envelope for WebSocket
 * through `getEnveloped`. Requests are limited before anything runs.
 */
export const openGraphql = (app: App, { schema, documents, rateLimits, executors, renderGraphiQL }: Parts) =>
  createYoga<Handed>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    // The page is served from here, without asking anybody else's server for its parts.
    renderGraphiQL,
    graphiql: app.config.graphiql ? { title: 'Quittance', subscriptionsProtocol: 'WS' } : false,
    batching: { limit: limits.batch },
    multipart: false,
    maxRequestBodySize: app.config.bodyLimitBytes,
    parserAndValidationCache: false,
    cors: false,
    maskedErrors: false,
    logging: false,
    plugins: [
      requestShape(rateLimits),
      preparedDocuments(documents),
      compiledExecution(documents),
      ...executors,
      ownContextAndErrors,
      useExecutionCancellation(),
    ],
  });
