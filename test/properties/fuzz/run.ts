import { routes } from '../../support/queries.ts';
import { randomOf } from '../../support/random.ts';
import { bytesRequest } from './bytes.ts';
import { graphqlRequest, rootFields } from './graphql.ts';
import { knownRequest } from './known.ts';
import { pageRequest } from './pages.ts';
import type { FuzzRequest, MakeRequest, Tenant, World } from './request.ts';
import { restRequest } from './rest.ts';
import { type Answer, send } from './send.ts';
import { socketRequest } from './sockets.ts';
import { firstTenant, newTenant, type Target } from './target.ts';
import { commandOf, faultOf } from './verdict.ts';

/** Request kinds, with their percentages of all requests. */
const kinds = {
  rest: { share: 40, make: restRequest },
  graphql: { share: 28, make: graphqlRequest },
  known: { share: 12, make: knownRequest },
  bytes: { share: 6, make: bytesRequest },
  sockets: { share: 7, make: socketRequest },
  pages: { share: 7, make: pageRequest },
} as const satisfies Record<string, { share: number; make: MakeRequest }>;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

export type Options = {
  readonly requests: number;
  readonly seed: number;
  readonly concurrency: number;
  /** Time limit for a response in milliseconds. A slower request is sent three more times, without other requests. */
  readonly slowMs: number;
  readonly only: Kind | null;
  /** Called every 1,000 requests with the number of requests sent so far. */
  readonly progress?: (done: number, rss: number | null) => void;
};

/** A violated assertion, with the request formatted as a shell command. */
type Finding = {
  readonly index: number;
  readonly about: string;
  readonly fault: string;
  readonly command: string;
  readonly answer: string;
};

export type Report = {
  readonly findings: readonly Finding[];
  readonly sent: number;
  /** Number of responses by status. `none` counts connections that ended without a response. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly operations: { readonly rest: number; readonly graphql: number };
  /** Durations of HTTP responses in milliseconds. */
  readonly latency: { readonly median: number; readonly p99: number; readonly max: number };
  /** Number of responses whose first attempt exceeded the time limit. */
  readonly slowOnce: number;
  /** Mean memory usage in each third of the run, in bytes. `null` if memory wasn't measured. */
  readonly memory: readonly [number, number, number] | null;
  readonly isAlive: boolean;
};

/** Number of requests after which a new tenant is used, which limits the size of each organization. */
const tenantRequests = 2_500;

function makeRequest(world: World, index: number, only: Kind | null): FuzzRequest | Promise<FuzzRequest> {
  // Sends each operation once at the start, so that even the shortest run covers all operations.
  const first =
    only === null
      ? [
          ...routes.map((route) => () => restRequest(world, route)),
          ...rootFields.map((root) => () => graphqlRequest(world, root)),
        ]
      : [];
  const listed = first[index];
  if (listed !== undefined) return listed();
  if (only !== null) return kinds[only].make(world);
  let draw = world.random.below(100);
  for (const { share, make } of Object.values(kinds)) {
    if (draw < share) return make(world);
    draw -= share;
  }
  return restRequest(world);
}

function learn(tenant: Tenant, request: FuzzRequest, { status, body }: Answer): void {
  if (
    request.kind !== 'http' ||
    request.answers === null ||
    status === null ||
    status >= 300 ||
    body.length > 200_000
  )
    return;
  try {
    const parsed = JSON.parse(body) as { data?: unknown };
    const isGraphql = request.path.startsWith('/graphql');
    const data =
      isGraphql && typeof parsed.data === 'object' && parsed.data !== null
        ? Object.values(parsed.data)[0]
        : parsed;
    tenant.pool.learn(request.answers, data);
  } catch {
    // The response isn't JSON.
  }
}

const usesOwnKey = (request: FuzzRequest, { sandboxKey }: Tenant): boolean =>
  request.kind === 'http' &&
  request.path.startsWith('/api/v1/') &&
  request.headers['x-api-key'] === sandboxKey;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the mean for each third of the samples. `null` if there are fewer than three samples. */
function thirds(samples: readonly number[]): readonly [number, number, number] | null {
  const size = Math.floor(samples.length / 3);
  if (size === 0) return null;
  return [mean(samples.slice(0, size)), mean(samples.slice(size, 2 * size)), mean(samples.slice(-size))];
}

/** Sends random requests to a server and returns the results. */
export async function fuzz(target: Target, options: Options): Promise<Report> {
  const { requests, seed, concurrency, slowMs, only, progress } = options;
  const url = new URL(target.url);
  const random = randomOf(seed);
  const findings: Finding[] = [];
  const statuses = new Map<string, number>();
  const [latencies, samples]: [number[], number[]] = [[], []];
  const slow: { readonly index: number; readonly request: FuzzRequest }[] = [];
  const unknownRecord = await newTenant(target.url);
  let tenant = await firstTenant(target);
  let [next, sent] = [0, 0];

  const report = (index: number, request: FuzzRequest, fault: string, answer: string): void =>
    void findings.push({
      index,
      about: request.about,
      fault,
      command: commandOf(target.url, request),
      answer: answer.slice(0, 500),
    });

  const one = async (index: number): Promise<void> => {
    const own = tenant;
    const request = await makeRequest({ random, tenant: own, unknownRecord }, index, only);
    const answer = await send(url, request);
    sent++;
    const status = String(answer.status ?? 'none');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const fault = faultOf(request, answer);
    if (fault !== null) report(index, request, fault, answer.body);
    // Some requests delete the tenant's key or organization. The run then continues with a new tenant.
    if (answer.status === 401 && own === tenant && usesOwnKey(request, own))
      tenant = await newTenant(target.url);
    if (request.kind === 'http') {
      latencies.push(answer.ms);
      if (answer.ms > slowMs && !answer.isSilent) slow.push({ index, request });
      learn(own, request, answer);
    }
    if (index % 100 === 0) {
      const rss = target.rss();
      if (rss !== null) samples.push(rss);
      if (index % 1_000 === 0) progress?.(index, rss);
    }
  };

  const lane = async (): Promise<void> => {
    while (next < requests && target.isAlive()) {
      const index = next++;
      if (index > 0 && index % tenantRequests === 0) tenant = await newTenant(target.url);
      await one(index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  for (const { index, request } of slow) {
    if (!target.isAlive()) break;
    const again = [await send(url, request), await send(url, request), await send(url, request)];
    const fastest = Math.min(...again.map(({ ms }) => ms));
    if (fastest > slowMs)
      report(index, request, `slow each time, at best ${Math.round(fastest)} ms`, again[0]?.body ?? '');
  }
  const ordered = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => ordered[Math.floor((ordered.length - 1) * share)] ?? 0;
  return {
    findings,
    sent,
    statuses,
    operations: { rest: routes.length, graphql: rootFields.length },
    latency: { median: at(0.5), p99: at(0.99), max: at(1) },
    slowOnce: slow.length,
    memory: thirds(samples),
    isAlive: target.isAlive(),
  };
}

/** Maximum memory growth from the middle third to the last third of a run: a percentage plus a number of bytes. */
const growth = { part: 0.15, bytes: 64 * 1_024 * 1_024 };

/** Returns `true` if memory grew by more than the maximum. Returns `false` if memory wasn't measured. */
export function isGrowing({ memory }: Pick<Report, 'memory'>): boolean {
  if (memory === null) return false;
  const [, middle, last] = memory;
  return last > middle * (1 + growth.part) + growth.bytes;
}
