import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readShop } from '../src/modules/sandbox/example-shop/read-shop.ts';
import { parseConfig } from '../src/platform/config.ts';
import { type Running, start } from '../src/start.ts';
import { playDemo } from './run-demo.ts';
import { bold, type Screen, step } from './terminal.ts';

// `npm run demo` starts an instance without stored data, runs the demo shop on it, and compares the results with the expected results. `npm run demo
// -- --record` saves the results as the expected results. `npm run demo -- --keep` keeps the instance running.

const expectedFile = new URL('expected.data.json', import.meta.url);

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});

const screen: Screen = { write: (text) => void process.stdout.write(text), isTty: process.stdout.isTTY };

/** Starts an instance without stored data and with a new API key. */
async function openInstance(): Promise<{ running: Running; apiKey: string }> {
  const apiKey = `ck_sandbox_${randomBytes(24).toString('base64url')}`;
  const before = performance.now();
  // The rate limit is disabled, because the demo is the only client.
  const settings = {
    PORT: options.keep ? (process.env['PORT'] ?? '4000') : '0',
    DATA_DIR: 'memory:',
    BOOTSTRAP_API_KEY: apiKey,
    DASHBOARD: options.keep ? 'on' : 'off',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const running = await start(parseConfig(settings));
  step(screen, 'Instance', 'embedded database in memory, migrated', performance.now() - before);
  return { running, apiKey };
}

/** Prints links to the shop and waits until the process is interrupted. */
function showLinks({ url, created }: Running, apiKey: string): void {
  const links = [
    ['Dashboard', created?.claim.url ?? `${url}/dashboard`],
    ['GraphQL', `${url}/graphql`],
    ['Key', apiKey],
  ];
  for (const [name = '', value = ''] of links) screen.write(`  ${name.padEnd(10)} ${value}\n`);
  screen.write("\n  The shop runs until you press Ctrl+C. Its data isn't stored.\n\n");
}

screen.write(
  `\n  ${bold(screen, 'Quittance')}: a shop, its customers, and a year and two weeks on the test clock\n\n`,
);
const { running, apiKey } = await openInstance();
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
if (options.keep) showLinks(running, apiKey);
else await running.close();
