import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import {
  createYoga,
  type GraphQLParams,
  isAsyncIterable,
  type Plugin,
  useExecutionCancellation,
  type YogaServerOptions,
} from 'graphql-yoga';
import type { RateLimits } from '../../platform/rate-limit.ts';
import type { App, RequestContext } from '../../request/context.ts';
import { addHttpStatus, shownErrors } from '../declare/errors.ts';
import { limits } from '../declare/limits.ts';
import { budgetOf, contextOf, type Handed } from '../declare/request-parts.ts';
import { withinLimit } from '../declare/response-limit.ts';
import { type DocumentParameters, namesDocument } from '../declare/trusted-documents.ts';
import { withCost } from '../execute/cost-extension.ts';
import { checkCanDefer, executeDeferred, withErrorsOfParts } from '../execute/deferred.ts';
import type { Documents } from '../execute/documents.ts';
import { executeOperation } from '../execute/execution.ts';
import { requestShape } from '../execute/request-shape.ts';
import { subscribeOperation } from '../live/subscriptions.ts';

type SetResult = (result: unknown) => void;
type Part = { readonly errors: readonly Error[] };

/**
 * Yoga plugin that passes the request's context to resolvers and converts errors for the client. Unexpected errors are logged, and their
 * details are hidden from the client (PLT-71).
 */
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
    // The cast is safe because a stream has no `errors` field.
    for (const error of shown) addHttpStatus(error, result as ExecutionResult);
  },
};

/** Converts the errors in a result to the format that clients receive, and returns the errors. */
function show(result: unknown, setResult: SetResult, ctx: RequestContext): GraphQLError[] {
  if (typeof result !== 'object' || result === null || !('errors' in result)) return [];
  const errors = shownErrors(result as { readonly errors: readonly Error[] }, ctx);
  setResult({ ...result, errors });
  return errors;
}

/** Converts the errors in a part of an incremental response to the format that clients receive. */
function showPart(result: ExecutionResult, setResult: SetResult, ctx: RequestContext): void {
  const shown = withErrorsOfParts(result, (part) => shownErrors(part, ctx));
  setResult('errors' in shown ? { ...shown, errors: shownErrors(shown as Part, ctx) } : shown);
}

/** Yoga plugin that resolves documents referenced by hash. */
const namedDocuments = ({ trusted }: Documents): Plugin<Handed> => ({
  onParams: ({ params, request, setParams }) => {
    const { documentId, ...rest } = params as GraphQLParams & DocumentParameters;
    const inAddress = request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : null;
    const named = { ...rest, documentId: documentId ?? inAddress ?? undefined };
    if (namesDocument(named)) setParams({ ...rest, query: trusted.textOf(named) ?? '' });
  },
});

/** Yoga plugin that parses and caches documents, and applies the request's limits before execution. */
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
      // The cast is safe because every error is converted for the client later.
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
      const { isBatch, budget } = args.contextValue as unknown as Handed;
      const inBatch = (result: ExecutionResult): ExecutionResult =>
        isBatch === true ? budget.spendResponse(ctx.app, result) : result;
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (!isAsyncIterable(result)) return void setResult(withCost(inBatch(result), spent, ctx));
          let isFirst = true;
          return {
            onNext: ({ result: next, setResult: setNext }) => {
              const part = withinLimit(ctx.app, next);
              setNext(isFirst ? withCost(part, spent, ctx) : part);
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

/** Yoga plugin that replaces the default executor with compiled execution. */
const compiledExecution = (documents: Documents): Plugin => ({
  onExecute: ({ setExecuteFn }) =>
    setExecuteFn((args: ExecutionArgs) =>
      documents.defers(args.document) ? executeDeferred(args) : executeOperation(documents, args),
    ),
  onSubscribe: ({ setSubscribeFn }) =>
    setSubscribeFn((args: ExecutionArgs) => subscribeOperation(documents, args)),
});

/** Dependencies of the GraphQL server. */
type Parts = {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly rateLimits: RateLimits;
  /** Yoga plugins that run around the execution of an operation, such as the idempotency plugin. */
  readonly executors: readonly Plugin[];
  /** Renders the page with the GraphiQL editor. */
  readonly renderGraphiQL: NonNullable<YogaServerOptions<object, Handed>['renderGraphiQL']>;
};

/**
 * Creates the GraphQL server for a process: queries and mutations over HTTP, and live fields over server-sent events. Limits are applied
 * before execution.
 */
export const openGraphql = (app: App, { schema, documents, rateLimits, executors, renderGraphiQL }: Parts) =>
  createYoga<Handed>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    // GraphiQL and its assets are served locally, without requests to other servers.
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
