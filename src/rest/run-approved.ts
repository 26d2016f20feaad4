import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  parse,
  print,
} from 'graphql';
import { QuittanceError } from '../domain/errors/errors.ts';
import { maskClassOf } from '../domain/requests/masked-fields.ts';
import { typedJson } from '../domain/text/typed-json.ts';
import { OutsideCallError } from '../engine/commit.ts';
import { type RunOutcome, runKeyOf, type ShownError } from '../engine/policy/approved-runs.ts';
import { asNames } from '../graphql/declare/enum-spelling.ts';
import { clientError, errorContextOf } from '../graphql/declare/errors.ts';
import type { RestRoute } from '../graphql/declare/rest.ts';
import { Documents } from '../graphql/execute/documents.ts';
import { executeOperation } from '../graphql/execute/execution.ts';
import { isFinal } from '../idempotency/answer.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import type { KeyUse } from '../idempotency/key.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Row } from '../platform/db/rows.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { callerName, takeRequests } from '../request/admission.ts';
import type { ApprovedRun } from '../request/approved-run.ts';
import type { Context, RequestContext } from '../request/context.ts';
import { noteRequest } from '../request/log/note-request.ts';
import type { ApprovedRunner } from '../request/run-approved.ts';
import { type Answer, failure } from './answer.ts';
import { type Operation, operationOf } from './operation.ts';
import { inputsIn, type OperationRequest, restPrefix, restRequest } from './rest-request.ts';
import { type Route, routesOf } from './routes.ts';

// Makes approved calls as the API keys that requested them. A call runs through the same checks as a request of the API key: access,
// policy, arguments, and transactions.

type Field = GraphQLField<unknown, unknown>;
type Values = Readonly<Record<string, unknown>>;

/** Returns the document for an operation without a REST route. Selects the ID of the resulting object. */
function documentFor({ name, args, type }: Field): DocumentNode {
  const list = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
  const variables = list(args.map((argument) => `$${argument.name}: ${argument.type}`));
  const provided = list(args.map((argument) => `${argument.name}: $${argument.name}`));
  const result = getNamedType(type);
  const id = isObjectType(result) && result.getFields()['id'] !== undefined ? ' id' : '';
  const selection = isCompositeType(result) ? ` { __typename${id} }` : '';
  return parse(`mutation ${name}${variables} { ${name}${provided}${selection} }`);
}

/** Creates the operation for a field without a REST route. */
function unroutedOperation(schema: GraphQLSchema, field: Field): Operation {
  const documents = new Documents(schema);
  const document = documentFor(field);
  return async (ctx, variableValues) => {
    const args = { schema, document, variableValues, contextValue: ctx };
    const { data, errors: [error] = [] } = await executeOperation(documents, args);
    if (error !== undefined)
      return failure(clientError(error, errorContextOf(ctx)), error.originalError ?? error);
    return { status: 200, body: JSON.stringify(data?.[field.name] ?? null) };
  };
}

/** Sets the execution of an approved call in a context while `work` runs. Later steps of the request read results by context. */
async function within<T>(ctx: Context, run: ApprovedRun, work: () => Promise<T>): Promise<T> {
  const holder: { approvedRun: ApprovedRun | null } = ctx;
  holder.approvedRun = run;
  try {
    return await work();
  } finally {
    holder.approvedRun = null;
  }
}

/** Status of a call that changed nothing and has no response. The idempotency key is released, so that the approval stays usable. */
const withoutResponse = 403;

/** Converts the response of an operation to the stored outcome. */
function outcomeOf(answer: Answer, run: ApprovedRun, isResumed: boolean): Answer {
  const { status, body, cause } = answer;
  if (cause instanceof OutsideCallError) return answer;
  if (status < 400) {
    const outcome: RunOutcome = { result: JSON.parse(body) as unknown, value: typedJson(run.value) };
    return { status, body: JSON.stringify(outcome) };
  }
  const isResponse = run.isTaken || isResumed;
  if (!isResponse || !(cause instanceof QuittanceError) || cause.code === 'charge_in_progress')
    return { ...answer, status: withoutResponse };
  const { error } = JSON.parse(body) as { readonly error: ShownError };
  const { code, message, param, details } = cause;
  const outcome: RunOutcome = {
    error,
    rejection: {
      code,
      message,
      ...(param === undefined ? {} : { param }),
      ...(details === undefined ? {} : { details }),
    },
  };
  return { ...answer, body: JSON.stringify(outcome) };
}

/** Returns the idempotency key of an approved call. The stored outcome is encrypted. */
const useOf = ({ environment }: Context, { id }: Row<'Approval'>, rest: RestRoute | undefined): KeyUse => ({
  scope: { environmentId: environment.id },
  ...runKeyOf(id),
  isSecret: true,
  strategy: rest?.idempotency ?? 'in-transaction',
});

const restOf = ({ extensions }: Field): RestRoute | undefined =>
  (extensions as { readonly rest?: RestRoute }).rest;

/** True if the operation records usage, which is written in a separate transaction. */
const recordsUsage = (field: Field): boolean => restOf(field)?.idempotency === 'batched';

/** True if the response to the operation contains a secret, such as a new API key or a signed token. */
function returnsSecret(field: Field): boolean {
  const result = getNamedType(field.type);
  return (
    restOf(field)?.secret === true ||
    (isObjectType(result) &&
      Object.keys(result.getFields()).some((member) => maskClassOf(member, field.name) === 'secret'))
  );
}

/** Approved call with its operation, and the request that its API key would send. */
type Prepared = {
  readonly field: Field;
  readonly operation: Operation;
  readonly variables: Record<string, unknown>;
  readonly route: string;
  readonly request: OperationRequest;
};

/** Returns the request that an API key would send for an approved call. */
function requestFor(
  field: Field,
  route: Route | undefined,
  values: Values,
): Pick<Prepared, 'route' | 'request'> {
  if (route === undefined) {
    const body = { query: print(documentFor(field)), variables: values };
    return { route: '/graphql', request: { method: 'POST', address: '/graphql', body } };
  }
  return { route: `${restPrefix}${route.path}`, request: restRequest(route, inputsIn(route, values)) };
}

/** Returns the response to record: the result or the error, in the format of the REST API. */
function shownResponse({ status, body }: Answer): string {
  const { result, error } = JSON.parse(body) as { readonly result?: unknown; readonly error?: unknown };
  return JSON.stringify(status < 400 ? result : { error });
}

const noHeaders = { get: () => null } as const;

/** Adds an approved call to the request log. The caller is the API key. */
function noteRun(
  ctx: RequestContext,
  { field, route, request }: Prepared,
  answer: Answer,
  began: number,
): void {
  const { method, address, body } = request;
  noteRequest(ctx, {
    request: {
      id: ctx.requestId,
      method,
      address,
      remoteAddress: '',
      headers: noHeaders,
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
    },
    transport: 'approval',
    route,
    status: answer.status,
    response: shownResponse(answer),
    isDryRun: false,
    milliseconds: monotonicMs() - began,
    describe: () => ({ operation: field.name }),
  });
}

/** Returns the functions that make approved calls. Operations are compiled on first use. */
export function approvedRunner(schema: GraphQLSchema, limits: RateLimits): ApprovedRunner {
  const routes = new Map(routesOf(schema).map((route) => [route.field.name, route]));
  const operations = new Map<string, Operation>();
  const make = (field: Field): Operation => {
    const route = routes.get(field.name);
    return route === undefined ? unroutedOperation(schema, field) : operationOf(schema, route);
  };
  const fields = schema.getMutationType()?.getFields() ?? {};
  const prepare = (approval: Row<'Approval'>): Prepared => {
    const field = fields[approval.operation];
    if (field === undefined) throw new Error(`The operation ${approval.operation} doesn't exist.`);
    const values = approval.arguments as Values;
    return {
      field,
      operation: operations.getOrInsertComputed(field.name, () => make(field)),
      variables: Object.fromEntries(
        field.args.flatMap(({ name, type }) => (name in values ? [[name, asNames(type, values[name])]] : [])),
      ),
      ...requestFor(field, routes.get(field.name), values),
    };
  };
  const run: ApprovedRunner['run'] = async (ctx, approval, decision) => {
    const prepared = prepare(approval);
    const { field, operation, variables } = prepared;
    // A call that completes interrupted work was counted and recorded as the request that repeats the call.
    if (decision !== null) await takeRequests(limits, callerName(ctx, ''), 'general');
    const began = monotonicMs();
    ctx.limitWaits();
    let isMadeHere = false;
    const answer = await answerOnce(ctx, useOf(ctx, approval, restOf(field)), (inner) => {
      const execution: ApprovedRun = { approvalId: approval.id, decision, isTaken: false, value: undefined };
      const isResumed = inner.resumeLog?.left != null;
      isMadeHere = true;
      return within(inner, execution, async () =>
        outcomeOf(await operation(inner, variables), execution, isResumed),
      );
    });
    if (isMadeHere && decision !== null) noteRun(ctx, prepared, answer, began);
    if (!isFinal(answer)) throw answer.cause ?? new Error('The approved call has no response.');
    return isMadeHere;
  };
  const exclusionOf: ApprovedRunner['exclusionOf'] = (operation) => {
    const field = fields[operation];
    if (field === undefined || recordsUsage(field)) return 'usage';
    return returnsSecret(field) ? 'secret' : null;
  };
  return { run, exclusionOf };
}
