import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareWith } from './against.ts';
import { startBare, startPeer, startProduct } from './children.ts';
import { measureClient } from './client.ts';
import { dropAll, onDatabase, serverUrl } from './database.ts';
import { measureDecisions } from './decisions.ts';
import { measureEndurance } from './endurance.ts';
import { measureExports } from './exports.ts';
import { measureGraphqlPage, measurePagePeer } from './graphql-page.ts';
import { measureHolds } from './holds.ts';
import { measureLimits } from './limits.ts';
import { type Between, measureLive } from './live.ts';
import { latencyMs, measureLiveRenewals } from './live-renewals.ts';
import type { Comparison } from './load.ts';
import { measureMetrics } from './metrics.ts';
import { measureNeighbors } from './neighbors.ts';
import { installPeers } from './peers.ts';
import { measurePrices, type PriceRates } from './prices.ts';
import { type Memory, measureRenewals, secondsPerRenewal, yearOn } from './renewals.ts';
import { measureRestList } from './rest-list.ts';
import { measureStartUp } from './start-up.ts';
import { statementsPerBatch } from './statements.ts';
import { count, median, ms, type Result, spread, tableOf } from './table.ts';
import { measureTwoWorkers } from './two-workers.ts';
import { loadUsage, measureUsage } from './usage.ts';
import { measureWalks, type Walk } from './walks.ts';
import { measureWebhooks } from './webhooks.ts';
import { sandboxOf, seededDatabase } from './world.ts';

// Runs all benchmarks and prints a table. `README.md` explains the results.

const { values: options, tokens } = parseArgs({
  tokens: true,
  options: {
    against: { type: 'string' },
    only: {
      type: 'string',
      default:
        'decisions,renewals,workers,growth,requests,usage,metrics,exports,endurance,webhooks,live,start',
    },
    rounds: { type: 'string', default: '3' },
    business: { type: 'string', default: '60000' },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '2' },
    subscriptions: { type: 'string', default: '1000' },
    page: { type: 'string', default: 'rest' },
    growth: { type: 'string', default: '5000' },
    events: { type: 'string', default: '1000000' },
    sockets: { type: 'string', default: '10000' },
    attackers: { type: 'string', default: '300' },
    days: { type: 'string', default: '1100' },
    redis: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const wanted = new Set(options.only.split(','));
const [rounds, seconds, subscriptions, growth] = [
  Number(options.rounds),
  Number(options.seconds),
  Number(options.subscriptions),
  Number(options.growth),
];

const results: Result[] = [];
const raw: Record<string, unknown> = {};

function report(name: string, measured: unknown, ...lines: Result[]): void {
  raw[name] = measured;
  for (const line of lines) {
    results.push(line);
    console.error(
      `  ${line.work}: ${line.product}${line.ratio === null ? '' : ` (ratio ${line.ratio.toFixed(2)})`}`,
    );
  }
}

const plain = (work: string, product: string, baseline = '', place?: string): Result => ({
  work,
  product,
  baseline,
  ratio: null,
  goal: null,
  ...(place === undefined ? {} : { place }),
});

const memoryText = ({ start, peak, end }: Memory): string =>
  `${count(start)} → ${count(peak)} peak → ${count(end)} MiB`;

async function renewals(seeded: string): Promise<void> {
  const sizes = [5, 500];
  const statements = await statementsPerBatch(sizes);
  const rates = await measureRenewals(seeded, rounds);
  // The ratio is calculated for each round, because other load on the machine affects both measurements in a round.
  const ratios = rates.product.map((rate, round) => rate / (rates.baseline[round] ?? Number.NaN));
  report(
    'renewals',
    { ...rates, ratios, statements },
    {
      work: `renewals, a year of ${count(subscriptions)} monthly subscriptions`,
      product: spread(rates.product, '/s'),
      baseline: spread(rates.baseline, '/s'),
      ratio: median(ratios),
      goal: 0.4,
    },
    plain('rows written per renewal', rates.rowsPerRenewal.toFixed(1)),
    plain('statements per batch of 5 and of 500', statements.join(' and ')),
    plain('memory over the year', memoryText(rates.memory)),
  );
}

async function twoWorkers(seeded: string): Promise<void> {
  const rates = await measureTwoWorkers(seeded, subscriptions, rounds);
  const ratios = rates.product.map((rate, round) => rate / (rates.baseline[round] ?? Number.NaN));
  report(
    'workers',
    { ...rates, ratios },
    {
      work: 'the same for two environments, with two processes and two connections',
      product: spread(rates.product, '/s'),
      baseline: spread(rates.baseline, '/s'),
      ratio: median(ratios),
      goal: null,
      place: '2, PostgreSQL',
    },
  );
}

async function growthOf(): Promise<void> {
  // Compares many subscriptions that renew once with a few subscriptions that renew all year. The cost per renewal should be the same.
  const few = await secondsPerRenewal(subscriptions, 365);
  const many = await secondsPerRenewal(growth, 31);
  report(
    'growth',
    { few, many },
    {
      work: `cost per renewal at ${count(growth)} compared with ${count(subscriptions)} subscriptions`,
      product: `${(many.seconds * 1e6).toFixed(0)} µs`,
      baseline: `${(few.seconds * 1e6).toFixed(0)} µs`,
      ratio: few.seconds / many.seconds,
      goal: 0.8,
    },
    plain(`memory over a month of ${count(growth)}`, memoryText(many.memory)),
  );
}

function compared(work: string, { product, baseline }: Comparison, goal: number | null): Result[] {
  const ratios = product.map(
    ({ perSecond }, round) => perSecond / (baseline[round]?.perSecond ?? Number.NaN),
  );
  const rate = (loads: Comparison['product']) =>
    spread(
      loads.map((load) => load.perSecond),
      '/s',
    );
  const latency = (loads: Comparison['product']) =>
    `${ms(median(loads.map((l) => l.p50Ms)))} / ${ms(median(loads.map((l) => l.p99Ms)))}`;
  const cpu = (loads: Comparison['product']) => median(loads.map((l) => l.cpuMs));
  return [
    { work, product: rate(product), baseline: rate(baseline), ratio: median(ratios), goal },
    plain('  p50 / p99', latency(product), latency(baseline)),
    {
      work: '  server CPU per request',
      product: ms(cpu(product)),
      baseline: ms(cpu(baseline)),
      ratio: cpu(baseline) / cpu(product),
      goal: null,
    },
  ];
}

async function pagePeer(
  product: Awaited<ReturnType<typeof startProduct>>,
  databaseUrl: string,
): Promise<void> {
  const work = 'GraphQL nested page, compared with PostGraphile';
  if (!installPeers())
    return report('graphqlPeer', null, plain(work, "not compared: PostGraphile isn't installed"));
  const peer = await startPeer(databaseUrl);
  try {
    const page = await measurePagePeer(product, peer, await sandboxOf(databaseUrl), rounds, seconds);
    report('graphqlPeer', page, ...compared(work, page, 1));
  } finally {
    await peer.stop();
  }
}

async function requests(seeded: string): Promise<void> {
  const { databaseUrl } = await yearOn(seeded);
  const product = await startProduct(databaseUrl);
  const bare = await startBare(databaseUrl, await sandboxOf(databaseUrl));
  try {
    const list = await measureRestList(product, bare, rounds, seconds);
    report('restList', list, ...compared('REST list of 25', list, 0.35));
    const page = await measureGraphqlPage(product, bare, rounds, seconds);
    report(
      'graphqlPage',
      page,
      ...compared('GraphQL nested page, compared with bare statements', page, null),
    );
    await pagePeer(product, databaseUrl);
  } finally {
    await product.stop();
    await bare.stop();
  }
}

/** Writes a CPU profile of the server while it records usage. */
async function profileUsage(): Promise<void> {
  const flags = ['--cpu-prof', `--cpu-prof-dir=${path.join(import.meta.dirname, 'results')}`];
  const measured = await loadUsage(options.page, seconds, flags);
  console.error(`  ${count(measured.perSecond)} requests/s, ${ms(measured.cpuMs)} each, under the profiler`);
}

/** Writes CPU profiles of the server during a simulated year and while it serves pages. */
async function profile(seeded: string): Promise<void> {
  const directory = path.join(import.meta.dirname, 'results');
  const flags = ['--cpu-prof', `--cpu-prof-dir=${directory}`];
  const { databaseUrl, renewals: made, seconds: took } = await yearOn(seeded, flags);
  console.error(`  ${count(made)} renewals in ${took.toFixed(1)} s under the profiler`);
  const product = await startProduct(databaseUrl, flags);
  const bare = await startBare(databaseUrl, await sandboxOf(databaseUrl));
  await (options.page === 'graphql' ? measureGraphqlPage : measureRestList)(product, bare, 1, seconds);
  await product.stop();
  await bare.stop();
}

async function endurance(): Promise<void> {
  const measured = await measureEndurance(Number(options.events));
  report(
    'endurance',
    measured,
    plain(`memory over ${count(measured.events)} usage events`, memoryText(measured.memory)),
    plain('  events recorded, 1,000 per request', `${count(measured.perSecond)} /s`),
  );
}

async function startUp(): Promise<void> {
  const start = await measureStartUp();
  report(
    'startUp',
    start,
    plain('npm start to the first response, new directory', ms(start.freshMs), '', '1, embedded'),
    plain('npm start to the first response, existing directory', ms(start.existingMs), '', '1, embedded'),
  );
}

async function usage(): Promise<void> {
  const rates = await measureUsage(rounds, seconds);
  const perSecond = (loads: Comparison['product']) => loads.map((load) => load.perSecond);
  const singles = perSecond(rates.single.product);
  const ratiosTo = (values: readonly number[], base: readonly number[]) =>
    median(values.map((value, round) => value / (base[round] ?? Number.NaN)));
  const drawn = perSecond(rates.credits);
  const hot = perSecond(rates.oneCustomer);
  report(
    'usage',
    rates,
    ...compared('usage events, one per request', rates.single, 1),
    {
      work: 'check and deduct on credits, 1,000 customers',
      product: spread(drawn, '/s'),
      baseline: spread(singles, '/s'),
      ratio: ratiosTo(drawn, singles),
      goal: 0.5,
    },
    {
      work: '  one hot customer, compared with 1,000/s',
      product: spread(hot, '/s'),
      baseline: '1 000 /s',
      ratio: median(hot) / 1_000,
      goal: 1,
    },
    {
      work: 'usage events, 500 per request',
      product: spread(rates.batched, '/s'),
      baseline: spread(rates.rawBatched, '/s'),
      ratio: ratiosTo(rates.batched, rates.rawBatched),
      goal: 0.5,
    },
    ...compared('feature access check', rates.access, 0.7),
  );
}

/** Compares the TypeScript client with `fetch`. */
async function client(): Promise<void> {
  const rates = await measureClient(rounds, seconds);
  const ratioOf = (values: readonly number[], base: readonly number[]) =>
    median(values.map((value, turn) => value / (base[turn] ?? Number.NaN)));
  const [sent, bare] = [rates.client, rates.bare].map((turns) => turns.map(({ perSecond }) => perSecond));
  const [cpu, bareCpu] = [rates.client, rates.bare].map((turns) => turns.map(({ cpuMs }) => cpuMs));
  report(
    'client',
    rates,
    {
      work: 'usage events with the TypeScript client',
      product: spread(sent ?? [], '/s'),
      baseline: spread(bare ?? [], '/s'),
      ratio: ratioOf(sent ?? [], bare ?? []),
      goal: 0.9,
    },
    {
      work: '  processor time of the caller per event',
      product: ms(median(cpu ?? [])),
      baseline: ms(median(bareCpu ?? [])),
      ratio: ratioOf(bareCpu ?? [], cpu ?? []),
      goal: null,
    },
  );
}

/** Reports work with a setting, compared with the same work without the setting in the same rounds. */
function reportSettings(part: string, measured: readonly PriceRates[]): void {
  report(
    part,
    measured,
    ...measured.map(({ work, goal, product, baseline }) => ({
      work,
      product: spread(product, '/s'),
      baseline: spread(baseline, '/s'),
      ratio: median(product.map((rate, round) => rate / (baseline[round] ?? Number.NaN))),
      goal,
    })),
  );
}

/** Measures prices with a setting, compared with the same work without the setting (PRM-80). */
const prices = async (): Promise<void> =>
  reportSettings('prices', await measurePrices(rounds, seconds, subscriptions));

/** Measures usage of customers with limits, compared with customers without limits (LIM-95). */
const limits = async (): Promise<void> => reportSettings('limits', await measureLimits(rounds, seconds));

/** Measures holds and settlements, compared with usage events (LIM-95). */
const holds = async (): Promise<void> => reportSettings('holds', await measureHolds(rounds, seconds));

async function decisions(): Promise<void> {
  const rates = await measureDecisions(rounds, seconds);
  report(
    'decisions',
    rates,
    {
      work: 'decisions on one core, of a renewal, compared with decisions without recurring revenue',
      product: spread(rates.alone, '/s'),
      baseline: spread(rates.unrecorded, '/s'),
      ratio: median(rates.alone.map((rate, round) => rate / (rates.unrecorded[round] ?? Number.NaN))),
      goal: null,
    },
    plain('  with its charge and the decision on its result', spread(rates.charged, '/s')),
  );
}

async function metrics(): Promise<void> {
  const size = Number(options.business);
  const { series, raw: rows } = await measureMetrics(size, rounds);
  report(
    'metrics',
    { series, rows },
    ...Object.entries(series).map(([name, { databaseMs, wholeMs }]): Result => {
      const baseline = rows[name];
      return {
        work: `${name}, a year of ${count(size)} subscriptions: database, whole`,
        product: `${ms(databaseMs)}, ${ms(wholeMs)}`,
        baseline: baseline === undefined ? '' : `${ms(baseline)} from raw rows`,
        // Goal: the database reads one year of any series in at most 20 ms.
        ratio: 20 / databaseMs,
        goal: name === 'headline' ? null : 1,
      };
    }),
  );
}

async function exported(): Promise<void> {
  const measured = await measureExports(Number(options.rows), rounds);
  const { rows, streamed, copied, ratio, processor, memory } = measured;
  report('exports', measured, {
    work: `export of ${count(rows)} customers as CSV, streamed`,
    product: `${count(streamed)} rows/s, ${processor.toFixed(2)} µs per row, ${count(memory.start)} → ${count(memory.peak)} MiB`,
    baseline: `${count(copied)} rows/s with COPY`,
    ratio,
    goal: 0.5,
  });
}

async function webhooks(): Promise<void> {
  const measured = await measureWebhooks(rounds, 1_000);
  const { deliveries, aliveSeconds, oneDeadSeconds } = measured;
  const delays = oneDeadSeconds.map(
    (seconds, round) => (seconds - (aliveSeconds[round] ?? Number.NaN)) * 1_000,
  );
  report(
    'webhooks',
    measured,
    plain(
      'webhook deliveries, 1,000 events to 10 endpoints',
      spread(
        aliveSeconds.map((seconds) => deliveries / seconds),
        '/s',
      ),
    ),
    plain('  delay of the other 9 if one never responds', ms(median(delays))),
  );
}

/**
 * Measures live fields on one process, and on two processes connected through PostgreSQL. If `--redis` is set, also measures two processes
 * connected through Redis.
 */
async function liveSockets(): Promise<void> {
  const ways: Between[] = ['memory', 'postgres', ...(options.redis === undefined ? [] : ['redis' as const])];
  for (const between of ways) {
    const redis = options.redis === undefined ? {} : { redisUrl: options.redis };
    const figures = await measureLive(Number(options.sockets), between, redis);
    const place =
      between === 'memory' ? '1, PostgreSQL' : `2, PostgreSQL${between === 'redis' ? ' and Redis' : ''}`;
    report(
      `sockets over ${between}`,
      figures,
      plain(
        `event to ${count(figures.sockets)} sockets of 100 sandboxes, 50 events/s`,
        `${ms(figures.p50Ms)} / ${ms(figures.p99Ms)}`,
        `${count(figures.delivered)} of ${count(figures.expected)} arrived`,
        place,
      ),
      plain(
        '  p99 of the requests that create events, and rejected requests',
        `${ms(figures.requestP99Ms)}, ${count(figures.rejected)}`,
        '',
        place,
      ),
      plain('  statements without activity', `${figures.idleStatements.toFixed(1)} /s`, '', place),
      plain('  memory per socket', `${figures.socketKb.toFixed(1)} KB`, '', place),
      plain('  cores of the product', figures.cores.toFixed(2), '', place),
    );
  }
}

/** Measures a tenant's response times without an attack and while another tenant attacks. */
async function neighbors(): Promise<void> {
  const figures = await measureNeighbors(Number(options.attackers), Number(options.days), seconds * 4);
  const timesOf = ({ p50Ms, p99Ms, maxMs, failed, requests: sent }: (typeof figures)[number]): string =>
    `${ms(p50Ms)} / ${ms(p99Ms)} / ${ms(maxMs)}, ${failed} of ${sent} failed`;
  const [calm, ...attacks] = figures;
  if (calm === undefined) throw new Error('No attack was measured.');
  report(
    'neighbors',
    figures,
    ...attacks.map((figure) =>
      plain(`neighbor of ${figure.attack}: p50 / p99 / max`, timesOf(figure), timesOf(calm)),
    ),
  );
}

/** Counts the files, functions, and calls that run for one warm request of each type. */
async function walks(): Promise<void> {
  const measured = await measureWalks();
  const textOf = ({ files, functions, calls }: Walk): string =>
    `${count(files)} files, ${count(functions)} functions, ${count(calls)} calls`;
  report('walks', measured, ...measured.map((walk) => plain(walk.request, textOf(walk), '', '1, embedded')));
}

async function liveRenewals(): Promise<void> {
  const measured = await measureLiveRenewals(1_600);
  const { perSecond, possible, concurrency } = measured;
  report('live', measured, {
    work: `live renewals over a network, ${latencyMs} ms per charge, ${concurrency} concurrent`,
    product: `${count(perSecond)}/s`,
    baseline: `${count(possible)}/s`,
    ratio: perSecond / possible,
    goal: 0.8,
  });
}

const page = path.join(import.meta.dirname, '../docs/performance.md');

/** Replaces the results table in `docs/performance.md`. */
async function writePage(place: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const table = `<!-- table -->\n\n${new Date().toISOString().slice(0, 10)}, ${place}.\n\n\`\`\`text\n${tableOf(results)}\n\`\`\`\n\n<!-- end -->`;
  await writeFile(page, text.replace(/<!-- table -->[\s\S]*<!-- end -->/, table));
}

async function writeResults(): Promise<string> {
  const directory = path.join(import.meta.dirname, 'results');
  await mkdir(directory, { recursive: true });
  const measuredAt = new Date().toISOString();
  const file = path.join(directory, `${measuredAt.replaceAll(':', '-')}.data.json`);
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
  await writeFile(file, `${JSON.stringify({ measuredAt, options, machine, results, raw }, null, 2)}\n`);
  return file;
}

/** Measures the selected parts, then prints and stores the results. */
async function measure(): Promise<void> {
  try {
    if (['renewals', 'workers', 'requests', 'profile'].some((part) => wanted.has(part))) {
      const seeded = await seededDatabase(subscriptions);
      if (wanted.has('renewals')) await renewals(seeded);
      if (wanted.has('workers')) await twoWorkers(seeded);
      if (wanted.has('requests')) await requests(seeded);
      if (wanted.has('profile')) await profile(seeded);
    }
    if (wanted.has('decisions')) await decisions();
    if (wanted.has('growth')) await growthOf();
    if (wanted.has('usage')) await usage();
    if (wanted.has('prices')) await prices();
    if (wanted.has('limits')) await limits();
    if (wanted.has('holds')) await holds();
    if (wanted.has('client')) await client();
    if (wanted.has('endurance')) await endurance();
    if (wanted.has('profile-usage')) await profileUsage();
    if (wanted.has('metrics')) await metrics();
    if (wanted.has('exports')) await exported();
    if (wanted.has('webhooks')) await webhooks();
    if (wanted.has('live')) await liveRenewals();
    if (wanted.has('neighbors')) await neighbors();
    if (wanted.has('sockets')) await liveSockets();
    if (wanted.has('walks')) await walks();
    if (wanted.has('start')) await startUp();
    const version = await onDatabase(
      serverUrl,
      async (client) => (await client.query<{ server_version: string }>('SHOW server_version')).rows[0],
    );
    const place = `PostgreSQL ${version?.server_version ?? ''}, Node ${process.version}, ${cpus().length} cores`;
    if (options.write) await writePage(place);
    console.log(
      `\n${place}\nOne product process shares ${cpus().length} cores with the database and the client. Renewals and pages are medians of ${rounds} rounds; other values are single measurements.\n`,
    );
    console.log(tableOf(results));
    console.log(`\nWritten to ${path.relative(process.cwd(), await writeResults())}`);
  } finally {
    await dropAll();
  }
}

/** Options that a comparison passes to the benchmarks of both checkouts. The comparison repeats the rounds itself. */
const passedOn = tokens.flatMap((token) =>
  token.kind === 'option' && !['against', 'rounds', 'write'].includes(token.name)
    ? [`--${token.name}=${token.value}`]
    : [],
);

if (options.against === undefined) await measure();
else console.log(await compareWith(options.against, passedOn, rounds));
