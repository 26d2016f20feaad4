import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseConfig } from '../src/platform/config.ts';
import { start } from '../src/start.ts';
import type { Figures } from './formats.ts';
import { playDemo } from './run-demo.ts';
import { readShop } from './shop.ts';
import { bold, type Screen, step } from './terminal.ts';

// `npm run demo`: starts an instance that keeps nothing, plays the shop on it, and compares what came out with what always comes out.
// `npm run demo -- --record` stores what came out instead, after a change to the data.

const expectedFile = new URL('expected.data.json', import.meta.url);

const screen: Screen = { write: (text) => void process.stdout.write(text), isTty: process.stdout.isTTY };

/** Plays the shop on an instance started for it alone and answers the figures. */
async function playOnOwnInstance(): Promise<Figures> {
  const shop = await readShop();
  const apiKey = `ck_sandbox_${randomBytes(24).toString('base64url')}`;
  const before = performance.now();
  // Nobody else is served, so nobody needs protection from the demo's pace: no rate limit.
  const settings = {
    PORT: '0',
    DATA_DIR: 'memory:',
    BOOTSTRAP_API_KEY: apiKey,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const running = await start(parseConfig(settings));
  try {
    step(screen, 'Instance', 'embedded database in memory, migrated', performance.now() - before);
    return await playDemo({ url: running.url, apiKey }, shop, screen);
  } finally {
    await running.close();
  }
}

screen.write(
  `\n  ${bold(screen, 'Quittance')}: a shop, its customers, and a year and two weeks on the test clock\n\n`,
);
const figures = await playOnOwnInstance();
if (process.argv.includes('--record')) {
  await writeFile(expectedFile, `${JSON.stringify(figures, null, 2)}\n`);
  screen.write('  Stored these figures in examples/expected.data.json.\n\n');
} else if (isDeepStrictEqual(figures, JSON.parse(await readFile(expectedFile, 'utf8')))) {
  screen.write('  Same data, same result: the figures are those in examples/expected.data.json.\n\n');
} else {
  screen.write('  The figures DIFFER from those in examples/expected.data.json.\n\n');
  process.exitCode = 1;
}
