import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import {
  createYoga,
  type GraphQLParams,
  isAsyncIterable,
  type Plugin,
  useExecutionCancellation,
  type YogaServerOptions,
} from 'graphql-yoga';
import type { App, RequestContext } from '../context.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { withCost } from './cost-extension.ts';
import { checkCanDefer, executeDeferred, withErrorsOfParts } from './deferred.ts';
import type { Documents } from './documents.ts';
import { addHttpStatus, shownErrors } from './errors.ts';
import { executeOperation } from './execution.ts';
import { limits } from './limits.ts';
import { budgetOf, contextOf, type Handed } from './request-parts.ts';
import { requestShape } from './request-shape.ts';
import { subscribeOperation } from './subscriptions.ts';
import { type DocumentParameters, namesDocument } from './trusted-documents.ts';

type SetResult = (result: unknown) => void;
type Part = { readonly errors: readonly Error[] };

/** Gives resolvers the request's own context, and shows every failure as the coded error it is, or hides and logs it (PLT-71). */
const ownContextAndErrors: Plugin<Handed> = {
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const ctx = contextOf(args.contextValue);
    setExecuteFn((provided: ExecutionArgs) => executeFn({ ...provided, contextValue: ctx }));
    return {
      onExecuteDone: ({ result, setResult }) => {
        if (!isAsyncIterable(result)) return void show(result, setResult as SetResult, ctx);
        return {
          onNext: ({ result: next, setResult: setNext }) => showPart(next, setNext as SetResult, ctx),
        };
      },
    };
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

/** The same for a result of several parts. */
function showPart(result: ExecutionResult, setResult: SetResult, ctx: RequestContext): void {
  const shown = withErrorsOfParts(result, (part) => shownErrors(part, ctx));
  setResult('errors' in shown ? { ...shown, errors: shownErrors(shown as Part, ctx) } : shown);
}

/** The documents clients name instead of sending them. */
const namedDocuments = ({ trusted }: Documents): Plugin<Handed> => ({
  onParams: ({ params, request, setParams }) => {
    const { documentId, ...rest } = params as GraphQLParams & DocumentParameters;
    const inAddress = request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : null;
    const named = { ...rest, documentId: documentId ?? inAddress ?? undefined };
    if (namesDocument(named)) setParams({ ...rest, query: trusted.textOf(named) ?? '' });
  },
});

/** Reads documents once and keeps them, within the budget of the request, and takes the cost of operations from it before anything runs. */
const preparedDocuments = (documents: Documents): Plugin<Handed> => {
  const spendCost = ({
    document,
    operationName,
    variableValues,
    contextValue,
  }: ExecutionArgs): number | { errors: GraphQLError[] } => {
    try {
      if (documents.defers(document)) checkCanDefer(contextValue as Handed & { request: Request });
      return documents.spendCost(document, operationName, variableValues ?? {}, budgetOf(contextValue));
    } catch (error) {
      // Whatever it is, it is shown as every other failure.
      return { errors: [error as GraphQLError] };
    }
  };
  return {
    onParse: ({ context: ctx, setParseFn }) =>
      setParseFn((source: string) => {
        documents.trusted.check(contextOf(ctx).caller, String(source));
        return documents.read(String(source), budgetOf(ctx));
      }),
    onValidate: ({ params, setResult }) => setResult([...documents.validate(params.documentAST)]),
    onExecute: ({ args, setResultAndStopExecution }) => {
      const spent = spendCost(args as unknown as ExecutionArgs);
      if (typeof spent !== 'number') return setResultAndStopExecution(spent);
      const ctx = contextOf(args.contextValue);
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (!isAsyncIterable(result)) return void setResult(withCost(result, spent, ctx));
          let isFirst = true;
          return {
            onNext: ({ result: next, setResult: setNext }) => {
              if (isFirst) setNext(withCost(next, spent, ctx));
              isFirst = false;
            },
          };
        },
      };
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const spent = spendCost(args as unknown as ExecutionArgs);
      if (typeof spent !== 'number') setResultAndStopExecution(spent as never);
    },
  };
};

/** Executes every operation the way all others are executed. */
const compiledExecution = (documents: Documents): Plugin => ({
  onExecute: ({ setExecuteFn }) =>
    setExecuteFn((args: ExecutionArgs) =>
      documents.defers(args.document) ? executeDeferred(args) : executeOperation(documents, args),
    ),
  onSubscribe: ({ setSubscribeFn }) =>
    setSubscribeFn((args: ExecutionArgs) => subscribeOperation(documents, args)),
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
 * The GraphQL server of a process: queries and mutations over HTTP, and live fields over server-sent events. Requests are limited before
 * anything runs.
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
    extraParamNames: ['documentId'],
    multipart: false,
    maxRequestBodySize: app.config.bodyLimitBytes,
    parserAndValidationCache: false,
    cors: false,
    maskedErrors: false,
    logging: false,
    plugins: [
      requestShape(rateLimits),
      namedDocuments(documents),
      preparedDocuments(documents),
      compiledExecution(documents),
      ...executors,
      ownContextAndErrors,
      useExecutionCancellation(),
    ],
  });
