import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readShop } from '../src/modules/sandbox/example-shop/read-shop.ts';
import { parseConfig } from '../src/platform/config.ts';
import { type Running, start } from '../src/start.ts';
import { playDemo } from './run-demo.ts';
import { bold, type Screen, step } from './terminal.ts';

// `npm run demo` starts an instance without stored data, runs the demo shop on it, and compares the results with the expected results. With
// `DATABASE_URL`, the shop is a new organization in this database, and stays there. `npm run demo -- --record` saves the results as the
// expected results. `npm run demo -- --keep` keeps the instance running.

const expectedFile = new URL('expected.data.json', import.meta.url);

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});

const screen: Screen = { write: (text) => void process.stdout.write(text), isTty: process.stdout.isTTY };

/** Database in which the shop is stored. Undefined if the shop isn't stored. */
const databaseUrl = process.env['DATABASE_URL'];

/** Instance with a sandbox for the shop. `claimUrl` is the link with which a person becomes the owner of the organization. */
type Instance = { readonly running: Running; readonly apiKey: string; readonly claimUrl: string | undefined };

/** Creates an organization for the shop. */
async function provision({ url }: Running): Promise<Pick<Instance, 'apiKey' | 'claimUrl'>> {
  const response = await fetch(`${url}/api/v1/provision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ name: 'Demo shop', country: 'US', businessType: 'software' }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The organization wasn't created: ${text}`);
  const { sandboxApiKey, claimUrl } = JSON.parse(text) as { sandboxApiKey: string; claimUrl: string };
  return { apiKey: sandboxApiKey, claimUrl };
}

/** Starts an instance with an organization for the shop: without stored data, or in the database of `DATABASE_URL`. */
async function openInstance(): Promise<Instance> {
  const apiKey = `ck_sandbox_${randomBytes(24).toString('base64url')}`;
  const before = performance.now();
  // The rate limit is disabled, because the demo is the only client.
  const settings = {
    PORT: options.keep ? (process.env['PORT'] ?? '4000') : '0',
    ...(databaseUrl === undefined
      ? { DATA_DIR: 'memory:', BOOTSTRAP_API_KEY: apiKey }
      : { DATABASE_URL: databaseUrl }),
    DASHBOARD: options.keep ? 'on' : 'off',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const running = await start(parseConfig(settings));
  const organization =
    databaseUrl === undefined ? { apiKey, claimUrl: running.created?.claim.url } : await provision(running);
  const database = databaseUrl === undefined ? 'embedded database in memory' : 'PostgreSQL';
  step(screen, 'Instance', `${database}, migrated`, performance.now() - before);
  return { running, ...organization };
}

/** Prints links to the shop and waits until the process is interrupted. */
function showLinks({ running: { url }, apiKey, claimUrl }: Instance): void {
  const links = [
    ['Dashboard', claimUrl ?? `${url}/dashboard`],
    ['GraphQL', `${url}/graphql`],
    ['Key', apiKey],
  ];
  for (const [name = '', value = ''] of links) screen.write(`  ${name.padEnd(10)} ${value}\n`);
  const stored = databaseUrl === undefined ? "Its data isn't stored." : 'Its data stays in the database.';
  screen.write(`\n  The shop runs until you press Ctrl+C. ${stored}\n\n`);
}

screen.write(
  `\n  ${bold(screen, 'Quittance')}: a shop, its customers, and a year and two weeks on the test clock\n\n`,
);
const instance = await openInstance();
const { running, apiKey } = instance;
const figures = await playDemo({ url: running.url, apiKey }, await readShop(), screen);
if (options.record) {
  await writeFile(expectedFile, `${JSON.stringify(figures, null, 2)}\n`);
  screen.write('  Stored these figures in examples/expected.data.json.\n\n');
} else if (isDeepStrictEqual(figures, JSON.parse(await readFile(expectedFile, 'utf8')))) {
  screen.write('  Same data, same result: the figures match examples/expected.data.json.\n\n');
} else {
  screen.write('  The figures DIFFER from examples/expected.data.json.\n\n');
  process.exitCode = 1;
}
if (options.keep) showLinks(instance);
else await running.close();
