import { defineCommand } from 'citty';
import { sleep } from '../../sdk/sleep.ts';
import { interruption } from '../interruption.ts';
import { UsageError } from '../output.ts';
import { command, type Session } from '../session.ts';

type Listed = Awaited<ReturnType<Session['client']['requestLog']['list']>>['data'][number];
type Filter = NonNullable<Parameters<Session['client']['requestLog']['list']>[0]>;

const filters = {
  operation: { type: 'string', valueHint: 'NAME', description: 'Operation, such as customerCreate.' },
  status: { type: 'string', valueHint: 'STATUS', description: 'HTTP status, such as 404.' },
  code: { type: 'string', valueHint: 'CODE', description: 'Error code, such as validation_error.' },
  customer: { type: 'string', valueHint: 'ID', description: 'ID or external ID of the customer.' },
  text: { type: 'string', description: 'Text in the address or a body of the last 24 hours.' },
  failed: { type: 'boolean', description: 'Show only failed requests.' },
} as const;

type Filters = { readonly [Name in Exclude<keyof typeof filters, 'failed'>]?: string | undefined } & {
  readonly failed?: boolean | undefined;
};

function filterOf({ operation, status, code, customer, text, failed }: Filters): Filter {
  if (status !== undefined && !/^[1-5]\d\d$/.test(status))
    throw new UsageError('--status must be an HTTP status.');
  return {
    operation,
    status: status === undefined ? undefined : Number(status),
    code,
    customerId: customer,
    text,
    failed: failed === true ? true : undefined,
  };
}

/** Describes a request in one line. */
function lineOf({
  createdAt,
  status,
  code,
  method,
  route,
  operation,
  milliseconds,
  count,
  id,
}: Listed): string {
  const result = code === null ? String(status) : `${status} ${code}`;
  const times = count === 1 ? '' : ` ×${count}`;
  return `${createdAt} ${result} ${method} ${route} ${operation} ${milliseconds} ms${times} ${id}`;
}

/** Time in milliseconds between two requests of `tail --follow`. */
const pollMs = 1_000;

/** Number of requests in a page. */
const pageSize = 100;

/** Returns the requests since a time, oldest first. Omits the requests with known IDs. */
async function newRequests(
  { client }: Session,
  filter: Filter,
  since: string,
  known: ReadonlySet<string>,
): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const request of client.requestLog.list({ ...filter, from: since, limit: pageSize }))
    if (!known.has(request.id)) found.push(request);
  return found.toReversed();
}

const tail = command({
  description: 'Show the latest requests, oldest first.',
  args: {
    ...filters,
    limit: { type: 'string', valueHint: 'NUMBER', description: 'Number of requests. Defaults to 20.' },
    follow: { type: 'boolean', alias: 'f', description: 'Show further requests as they are recorded.' },
  },
  run: async (session, { limit = '20', follow, ...args }) => {
    if (!/^[1-9]\d?$|^100$/.test(limit)) throw new UsageError('--limit must be a number from 1 to 100.');
    const { client, print } = session;
    const filter = filterOf(args);
    const { data } = await client.requestLog.list({ ...filter, limit: Number(limit) });
    for (const request of data.toReversed()) print(request, lineOf(request));
    if (follow !== true) return;
    const signal = interruption();
    // A request is recorded up to 1 second after its response, so the last seconds are read again.
    let since = new Date(Date.parse(data[0]?.createdAt ?? new Date().toISOString()) - 5 * pollMs);
    let known = new Map(data.map(({ id, createdAt }) => [id, createdAt]));
    while (!signal.aborted) {
      for (const request of await newRequests(session, filter, since.toISOString(), new Set(known.keys()))) {
        print(request, lineOf(request));
        known.set(request.id, request.createdAt);
      }
      const latest = Math.max(
        since.getTime() + 5 * pollMs,
        ...[...known.values()].map((at) => Date.parse(at)),
      );
      since = new Date(latest - 5 * pollMs);
      known = new Map([...known].filter(([, at]) => Date.parse(at) >= since.getTime()));
      await sleep(pollMs, signal).catch(() => undefined);
    }
  },
});

const id = {
  type: 'positional',
  required: true,
  description: 'Request ID, as in the header X-Request-Id.',
} as const;

const get = command({
  description: 'Show a request with its masked bodies.',
  args: { id },
  run: async ({ client, print }, args) => print(await client.requestLog.entry(args.id)),
});

const replay = command({
  description: 'Send a request again. A request that writes runs as a dry run, unless --run is set.',
  args: {
    id,
    set: {
      type: 'string',
      valueHint: 'POINTER=VALUE',
      description:
        'Value for a masked value of the body, such as /email=ada@example.com. Separate several with commas.',
    },
    run: { type: 'boolean', description: 'Run a request that writes.' },
  },
  run: async ({ client, print }, { id: requestId, set, run }) => {
    const values = (set === undefined ? [] : set.split(',')).map((part) => {
      const end = part.indexOf('=');
      if (end < 1) throw new UsageError('--set must be a JSON pointer, =, and a value.');
      return { pointer: part.slice(0, end), value: part.slice(end + 1) };
    });
    const result = await client.requestLog.requestReplay(requestId, { values, dryRun: run !== true });
    print(
      result,
      `${result.status}${result.isDryRun ? ' (dry run)' : ''}\n${JSON.stringify(result.body, null, 2)}`,
    );
  },
});

export const logs = defineCommand({
  meta: { description: 'Show and repeat the requests of the environment.' },
  subCommands: { tail, get, replay },
});
