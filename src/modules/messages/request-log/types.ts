import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { loadActorName } from '../../customers/actors/store.ts';
import { RequestCallerKind, RequestTransport } from './enums.ts';
import type { Replayed } from './resend.ts';
import { loadBodies } from './store.ts';

const bodyText =
  'Secrets and card numbers are masked. Personal data is masked; a sandbox keeps the last 2 characters. Cut off after 8,192 characters.';

export const RequestLogEntry = builder.prismaObject('RequestRecord', {
  name: 'RequestLogEntry',
  description:
    'A request of an API key or a member, and its response. Frequent requests, such as usage events, are combined to one entry per caller, operation, status, and minute.',
  fields: (t) => ({
    ...t.columns('id', 'createdAt'),
    transport: t.expose('transport', { type: RequestTransport }),
    ...t.columns('method', 'route', 'operation', 'status', 'code'),
    callerKind: t.expose('callerKind', { type: RequestCallerKind }),
    ...t.columns('callerId', 'customerId', 'idempotencyKey', 'isDryRun', 'replayOf'),
    callerName: t.computed({
      type: 'String',
      nullable: true,
      description:
        "Name of the API key or member that sent the request, even if the API key or member was deleted. `null` if the name isn't known.",
      columns: ['callerKind', 'callerId'],
      resolve: ({ callerKind, callerId }, _args, ctx) =>
        loadActorName(ctx, {
          source: callerKind === 'member' ? 'dashboard' : 'api',
          actorId: callerId,
          customerId: null,
        }),
    }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description:
        'Customer in the request and its response. `null` if they contain several customers or none, or if the entry combines requests.',
    }),
    ...t.columns('ipAddress', 'userAgent', 'apiVersion', 'milliseconds'),
    ...t.columns('requestBytes', 'responseBytes', 'count', 'slowestRequestId'),
    address: t.computed({
      type: 'String',
      nullable: true,
      description: `Path and query string of the request. ${bodyText} \`null\` if the entry combines requests.`,
      columns: ['blockId', 'slot'],
      resolve: async (row, _args, ctx) => (await loadBodies(ctx, row))?.address ?? null,
    }),
    requestBody: t.computed({
      type: 'String',
      nullable: true,
      description: `Body of the request as JSON text, or its size in brackets if it isn't JSON or is larger than 64 KiB. ${bodyText} \`null\` if the request has no body, or if the entry combines requests.`,
      columns: ['blockId', 'slot'],
      resolve: async (row, _args, ctx) => (await loadBodies(ctx, row))?.request ?? null,
    }),
    responseBody: t.computed({
      type: 'String',
      nullable: true,
      description: `Body of the response as JSON text. ${bodyText} \`null\` if the response contains a secret or has no body, if the request is a successful \`GET\` request, or if the entry combines requests.`,
      columns: ['blockId', 'slot'],
      resolve: async (row, _args, ctx) => (await loadBodies(ctx, row))?.response ?? null,
    }),
    ...t.resource('request_log_entry'),
  }),
});

export const RequestLogConnection = connectionOf('RequestLogEntry', RequestLogEntry, 'recorded requests');

export const RequestReplay = builder.objectRef<Replayed>('RequestReplay').implement({
  description: 'The response to a repeated request.',
  fields: (t) => ({
    requestId: t.member('requestId', 'ID').describe('ID of the new request.'),
    status: t.member('status', 'Int').describe('HTTP status of the response.'),
    isDryRun: t.member('isDryRun', 'Boolean').describe('Whether the request was repeated as a dry run.'),
    body: t.maybe('body', 'Json').describe('Body of the response. `null` if the response has no body.'),
  }),
});

const summary =
  'id createdAt transport method route operation status code callerKind callerId customerId idempotencyKey isDryRun replayOf ipAddress userAgent apiVersion milliseconds requestBytes responseBytes count slowestRequestId';

restView('RequestLogSummary', 'RequestLogEntry', `${summary} object livemode`);
restView('RequestLogEntry', 'RequestLogEntry', `${summary} address requestBody responseBody object livemode`);
restView('RequestReplay', 'RequestReplay', 'requestId status isDryRun body');
