import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Profiler, Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Config, parseConfig } from '../src/platform/config.ts';
import { start } from '../src/start.ts';
import { apiKey, root } from './children.ts';

// Counts the source files, functions, and calls that run for one warm request, using V8's precise coverage. The product runs in this
// process on the embedded database. V8 therefore counts functions in `src`, not in a bundle.

/** Function and its number of calls. `place` is the function's file in `src` and its line number. */
type CalledFunction = { readonly name: string; readonly place: string; readonly calls: number };

/** Number of files, functions, and calls that run for one request. */
export type Walk = {
  readonly request: string;
  /** Number of files in `src` with a function that ran. */
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  /** Functions with the highest number of calls. */
  readonly mostCalled: readonly CalledFunction[];
};

const source = pathToFileURL(path.join(root, 'src/')).href;
const generated = `${source}generated/`;

type Json = { readonly [name: string]: unknown };

/** Number of times that a request is repeated to fill caches before it's counted. */
const warmUps = 3;

/** Pause before and after each count, so that work from earlier requests can finish. */
const quietMs = 400;

let serial = 0;

/** HTTP client that authenticates with the sandbox key. */
function clientOf(url: string) {
  const send = async (method: string, route: string, body?: Json, key = false): Promise<Json> => {
    const response = await fetch(`${url}${route}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { 'idempotency-key': `walk-${++serial}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json & { readonly data?: Json; readonly errors?: unknown };
    if (!response.ok || answer.errors !== undefined)
      throw new Error(`${method} ${route} failed with ${response.status}: ${JSON.stringify(answer)}`);
    return answer.data ?? answer;
  };
  return {
    get: (route: string) => send('GET', `/api/v1${route}`),
    post: (route: string, body: Json) => send('POST', `/api/v1${route}`, body, true),
    graphql: (query: string, variables: Json = {}) => send('POST', '/graphql', { query, variables }),
  };
}

type Client = ReturnType<typeof clientOf>;

const page = `{ customers(first: 25) { edges { node { id email subscription { id status }
  invoices(first: 5) { edges { node { id total lineItems { description amount } } } } } } } }`;

const pay = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

const change =
  'mutation ($input: SubscriptionChangePlanInput!) { subscriptionChangePlan(input: $input) { __typename } }';

const newCustomer = async ({ post }: Client): Promise<string> => {
  const id = `walker-${++serial}`;
  await post('/customers', { email: `${id}@example.com`, externalId: id });
  return id;
};

const subscribe = async (client: Client, customerId: string): Promise<{ id: string; token: string }> => {
  const { id, checkoutUrl } = await client.post('/subscriptions', { customerId, planCode: 'small' });
  return { id: String(id), token: String(checkoutUrl).split('/').at(-1) ?? '' };
};

const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };

const payer = async (client: Client): Promise<{ customerId: string; id: string }> => {
  const customerId = await newCustomer(client);
  const { id, token } = await subscribe(client, customerId);
  await client.graphql(pay, { input: { token, card } });
  return { customerId, id };
};

/** Requests by name. `prepare` creates the objects that a request needs, and isn't counted. */
const requests: { readonly [name: string]: (client: Client) => Promise<() => Promise<unknown>> } = {
  'GET /customers/:id': async (client) => {
    const id = await newCustomer(client);
    return () => client.get(`/customers/${id}`);
  },
  'usage event with key': async (client) => {
    const { customerId } = await payer(client);
    const event = { customerId, featureCode: 'calls', value: 1 };
    return () => client.post('/usage/events', { ...event, eventId: `walk-${++serial}` });
  },
  'nested page': async (client) => () => client.graphql(page),
  'POST /customers with key': async (client) => () =>
    client.post('/customers', { email: `walker-${++serial}@example.com` }),
  'POST /subscriptions with key': async (client) => {
    const customerId = await newCustomer(client);
    return () => subscribe(client, customerId);
  },
  checkoutPay: async (client) => {
    const { token } = await subscribe(client, await newCustomer(client));
    return () => client.graphql(pay, { input: { token, card } });
  },
  'change plan': async (client) => {
    const { id } = await payer(client);
    const { id: newPlanId } = await client.get('/plans/large');
    return () => client.graphql(change, { input: { id, newPlanId } });
  },
};

/** Creates two plans with a usage feature, and a plan group that contains both plans. */
async function setUp({ post }: Client): Promise<void> {
  const { id: featureId } = await post('/features', { code: 'calls', name: 'Calls', type: 'usage' });
  const { id: planGroupId } = await post('/plan-groups', { name: 'Group' });
  for (const [code, price] of [
    ['small', 1_000],
    ['large', 3_000],
  ] as const) {
    await post('/plans', { name: code, code, consumptionModel: 'metered', planGroupId });
    await post(`/plans/${code}/prices`, { billingInterval: 'monthly', price });
    await post(`/plans/${code}/features`, {
      featureId,
      includedAmount: 1_000,
      overage: { enabled: true, unitPrice: 100 },
    });
  }
}

/** Number of functions to list for each request. */
const mostListed = 40;

/** Returns the functions in a file that ran. The lines match the source, because Node keeps positions when it strips types. */
function calledIn({ url, functions }: Profiler.ScriptCoverage): CalledFunction[] {
  const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  const text = ran.length === 0 ? '' : readFileSync(fileURLToPath(url), 'utf8');
  return ran.map(({ functionName, ranges }) => ({
    name: functionName,
    place: `${url.slice(source.length)}:${text.slice(0, ranges[0]?.startOffset).split('\n').length}`,
    calls: ranges[0]?.count ?? 0,
  }));
}

/** Returns the coverage since the last call, excluding generated code and code outside `src`. */
function walkOf(request: string, { result }: Profiler.TakePreciseCoverageReturnType): Walk {
  const own = result.filter(({ url }) => url.startsWith(source) && !url.startsWith(generated));
  const byFile = own.map(calledIn).filter((called) => called.length > 0);
  const functions = byFile.flat();
  return {
    request,
    files: byFile.length,
    functions: functions.length,
    calls: functions.reduce((sum, { calls }) => sum + calls, 0),
    mostCalled: functions.toSorted((a, b) => b.calls - a.calls).slice(0, mostListed),
  };
}

/** Measures the code that runs for each request. */
export async function measureWalks(): Promise<readonly Walk[]> {
  const directory = await mkdtemp(path.join(tmpdir(), 'quittance-walks-'));
  const settings = parseConfig({
    DATA_DIR: directory,
    PORT: '0',
    DASHBOARD: 'off',
    LOG_LEVEL: 'error',
    BOOTSTRAP_API_KEY: apiKey,
    RATE_LIMIT_PER_MINUTE: '0',
  });
  // Runs without workers, because events wake workers at different times in each run. Settings can't disable workers on an embedded database.
  const config: Config = { ...settings, role: 'api' };
  const session = new Session();
  session.connect();
  const running = await start(config);
  try {
    const client = clientOf(running.url);
    await setUp(client);
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const walks: Walk[] = [];
    for (const [name, prepare] of Object.entries(requests)) {
      for (let round = 0; round < warmUps; round++) await (await prepare(client))();
      const request = await prepare(client);
      await rest(quietMs);
      await session.post('Profiler.takePreciseCoverage');
      await request();
      walks.push(walkOf(name, await session.post('Profiler.takePreciseCoverage')));
    }
    return walks;
  } finally {
    session.disconnect();
    await running.close();
    await rm(directory, { recursive: true, force: true });
  }
}
