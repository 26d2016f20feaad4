import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readShop } from '../src/modules/example-shop/read-shop.ts';
import { parseConfig } from '../src/platform/config.ts';
import { type Running, start } from '../src/start.ts';
import { playDemo } from './run-demo.ts';
import { bold, type Screen, step } from './terminal.ts';

// `npm run demo`: starts an instance that keeps nothing, plays the shop on it, and compares what came out with what always comes out.
// `npm run demo -- --record` stores what came out instead, after a change to the data; `npm run demo -- --keep` lets the shop run on, to look at.

const expectedFile = new URL('expected.data.json', import.meta.url);

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});

const screen: Screen = { write: (text) => void process.stdout.write(text), isTty: process.stdout.isTTY };

/** Starts an instance that keeps nothing, with a key of its own. */
async function openInstance(): Promise<{ running: Running; apiKey: string }> {
  const apiKey = `ck_sandbox_${randomBytes(24).toString('base64url')}`;
  const before = performance.now();
  // Nobody else is served, so nobody needs protection from the demo's pace: no rate limit.
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

/** Says where the shop can be looked at, until the process is interrupted. */
function showLinks({ url, created }: Running, apiKey: string): void {
  const links = [
    ['Dashboard', created?.claim.url ?? `${url}/dashboard`],
    ['GraphQL', `${url}/graphql`],
    ['Key', apiKey],
  ];
  for (const [name = '', value = ''] of links) screen.write(`  ${name.padEnd(10)} ${value}\n`);
  screen.write('\n  The shop runs until you press Ctrl+C. It keeps nothing.\n\n');
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
  screen.write('  Same data, same result: the figures are those in examples/expected.data.json.\n\n');
} else {
  screen.write('  The figures DIFFER from those in examples/expected.data.json.\n\n');
  process.exitCode = 1;
}
if (options.keep) showLinks(running, apiKey);
else await running.close();
