import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, useExecutionCancellation } from 'graphql-yoga';
import { type App, RequestContext } from '../context.ts';
import { compiledExecution, KnownQueries } from './compiled.ts';
import { graphqlError, sceneOf } from './errors.ts';
import { limitPlugins, limits } from './limits.ts';

/** What a door hands over with each GraphQL operation: the context of its request, and where it came from; no address over WebSocket. */
export type Handed = {
  requestContext: RequestContext;
  remoteAddress: string;
  /** What the operation came to, where it was run already and only has to be answered. */
  result?: ExecutionResult;
};

/** The request's context among what the server gathered. Throws when a door forgot to hand it over. */
function contextOf(value: unknown): RequestContext {
  const context = value instanceof RequestContext ? value : (value as Partial<Handed> | undefined)?.requestContext;
  if (context instanceof RequestContext) return context;
  throw new Error('An operation runs without the context of a request.');
}

type SetResult = (result: unknown) => void;

/** Gives resolvers the request's own context, and shows every failure as the coded error it is, or hides and logs it (PLT-71). */
const ownContextAndErrors: Plugin<Handed> = {
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const context = contextOf(args.contextValue);
    setExecuteFn((given: ExecutionArgs) => executeFn({ ...given, contextValue: context }));
    return { onExecuteDone: ({ result, setResult }) => void show(result, setResult as SetResult, context) };
  },
  onSubscribe: ({ args, subscribeFn, setSubscribeFn }) => {
    const context = contextOf(args.contextValue);
    setSubscribeFn((given: ExecutionArgs) => subscribeFn({ ...given, contextValue: context }));
    return {
      onSubscribeResult: ({ result, setResult }) => {
        show(result, setResult as SetResult, context);
        return { onNext: ({ result: next, setResult: setNext }) => void show(next, setNext as SetResult, context) };
      },
    };
  },
  onResultProcess: ({ result, setResult, serverContext }) => {
    const shown = show(result, setResult as SetResult, contextOf(serverContext));
    // Over HTTP what was refused before it ran has the status of its code, and so has what nobody may run without a caller (PLT-71).
    const isRefused = typeof result === 'object' && result !== null && !('data' in result);
    for (const { extensions } of shown) {
      if (isRefused || extensions['code'] === 'unauthorized')
        extensions.http = { ...extensions.http, status: Number(extensions['status']) };
    }
  },
};

type Failed = { errors?: readonly Error[] };

/** Replaces the errors of a result that were not shown yet, and answers all of them as they are shown. */
function show(result: unknown, setResult: SetResult, context: RequestContext): GraphQLError[] {
  if (typeof result !== 'object' || result === null || !('errors' in result)) return [];
  const { errors = [] } = result as Failed;
  const shown = errors.map((error) => (isShown(error) ? error : graphqlError(error, sceneOf(context))));
  if (!errors.every(isShown)) setResult({ ...result, errors: shown });
  return shown;
}

const isShown = (error: Error): error is GraphQLError => error instanceof GraphQLError && 'requestId' in error.extensions;

/** Answers an operation that was run already with what it came to. */
const givenResults: Plugin<Handed> = {
  onParams: ({ context, setResult }) => {
    const { result } = context as Partial<Handed>;
    if (result !== undefined) setResult(result);
  },
};

/**
 * The GraphQL server of a process: queries and mutations over HTTP, live fields over server-sent events, and the same envelope for WebSocket
 * through `getEnveloped`. Batches, aliases, depth and cost are limited before anything runs. `executors` run inside the request's context.
 * The queries it comes to know are put into `queries`.
 */
export const openGraphql = (app: App, schema: GraphQLSchema, executors: readonly Plugin[] = [], queries = new KnownQueries()) =>
  createYoga<Handed>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    // The page is served from here, without asking anybody else's server for its parts.
    renderGraphiQL,
    graphiql: app.config.graphiql ? { title: 'Quittance', subscriptionsProtocol: 'WS' } : false,
    batching: { limit: limits.batch },
    cors: false,
    maskedErrors: false,
    logging: false,
    plugins: [givenResults, ...limitPlugins(), compiledExecution(queries), ...executors, ownContextAndErrors, useExecutionCancellation()],
  });
