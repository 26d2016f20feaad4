import { mutationNames } from '../../../graphql/declare/areas.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { RequestCallerKind, RequestTransport } from './enums.ts';
import { requestsMatching, requireRequest } from './store.ts';
import { RequestLogConnection, RequestLogEntry } from './types.ts';

builder.queryField('requestLog', (t) =>
  t.field({
    type: RequestLogConnection,
    description:
      'Lists recorded requests, newest first. A request appears up to 1 second after its response, and is deleted after the retention period.',
    rest: { method: 'GET', path: '/request-log', view: 'RequestLogSummary' },
    access: { scope: ['read', 'keys'], role: 'admin' },
    args: {
      ...pageArgs(),
      operation: t.arg.string({ description: 'Operation to filter by, such as `customerCreate`.' }),
      route: t.arg.string({ description: 'Route to filter by, such as `/api/v1/customers/{id}`.' }),
      transport: t.arg({ type: RequestTransport, description: 'Interface to filter by.' }),
      status: t.arg.int({
        rule: { minimum: 100, maximum: 599 },
        description: 'HTTP status to filter by, from 100 to 599.',
      }),
      failed: t.arg.boolean({
        description:
          'Whether to include only requests with an HTTP status of 400 or higher (`true`), or only other requests (`false`). Defaults to all requests.',
      }),
      code: t.arg.string({ description: 'Error code to filter by.' }),
      callerId: t.arg.id({ description: 'ID of the API key or member to filter by.' }),
      callerKind: t.arg({ type: RequestCallerKind, description: 'Kind of caller to filter by.' }),
      changes: t.arg.boolean({
        description:
          'Whether to include only requests that call a mutation (`true`), or only other requests (`false`). Defaults to all requests.',
      }),
      customerId: t.arg.id({ description: 'ID or external ID of the customer to filter by.' }),
      idempotencyKey: t.arg.string({ description: 'Idempotency key to filter by.' }),
      from: t.arg({ type: 'DateTime', description: 'Earliest time of the requests.' }),
      to: t.arg({ type: 'DateTime', description: 'Latest time of the requests.' }),
      text: t.arg.string({
        rule: { minLength: 3, maxLength: 200 },
        description:
          'Text in the address or a body, as stored after masking. Case-sensitive. `from` must be at most 24 hours before `to`. Defaults for the times: the last 24 hours.',
      }),
    },
    resolve: async (
      _root,
      { first, after, last, before, customerId, changes, ...filter },
      ctx,
      { schema },
    ) => {
      const customer = customerId == null ? null : await findCustomer(ctx, String(customerId));
      // No request has an empty customer ID, so a filter by an unknown customer matches nothing.
      const ofCustomer = customerId == null ? {} : { customerId: customer?.id ?? '' };
      const callerId = filter.callerId == null ? null : String(filter.callerId);
      const mutations = mutationNames(schema);
      const ofKind = changes == null ? {} : { changes: { mutations, isChange: changes } };
      const list = await requestsMatching(ctx, { ...filter, callerId, ...ofCustomer, ...ofKind });
      return readPage(ctx, list, { first, after, last, before });
    },
  }),
);

builder.queryField('requestLogEntry', (t) =>
  t.field({
    type: RequestLogEntry,
    description: 'Returns a recorded request with its masked bodies.',
    rest: { method: 'GET', path: '/request-log/{id}', view: 'RequestLogEntry' },
    errors: ['not_found'],
    access: { scope: ['read', 'keys'], role: 'admin' },
    args: {
      id: t.arg.id({
        required: true,
        description: 'Request ID, as in the response header `X-Request-Id`.',
      }),
    },
    resolve: (_root, { id }, ctx) => requireRequest(ctx, String(id)),
  }),
);
