import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRates, syncRates } from '../../../../src/modules/metrics/fx-rates/sync.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Exchange rates, which are fetched once for the whole installation (MET-31).

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await startApp();
  folder = await mkdtemp(path.join(tmpdir(), 'rates-'));
});
afterAll(async () => {
  await t.app.database.query('DELETE FROM "FxFeedRate"');
  await rm(folder, { recursive: true });
  await t.close();
});

const source = async (content: string): Promise<string> => {
  const file = path.join(folder, 'rates.json');
  await writeFile(file, content);
  return file;
};

test("the exchange rate sync stores a day's rates, and replaces them in the next sync", async () => {
  const day = t.app.wall.now().toISOString().slice(0, 10);
  const read = async () =>
    (await t.rest<{ data: object[] }>('GET', `/fx-rates?currency=jpy&from=${day}&to=${day}`)).body.data;
  expect(await syncRates(t.app, await source('{"EUR": 0.92, "jpy": 149.5, "USD": 1, "XAU": 0.0005}'))).toBe(
    2,
  );
  expect(await read()).toMatchObject([{ unitsPerUsd: 14_950_000_000, source: 'feed', rateDay: day }]);
  await syncRates(t.app, await source('{"JPY": 150}'));
  expect(await read()).toMatchObject([{ unitsPerUsd: 15_000_000_000, source: 'feed' }]);
  await expect(syncRates(t.app, await source('{"JPY": 151, "EUR": 0}'))).rejects.toThrow('EUR');
  expect(await read()).toMatchObject([{ unitsPerUsd: 15_000_000_000 }]);
});

test.each(['[]', 'null', '1', '{"EUR": "0.92"}', '{"EUR": null}', '{"EUR": 2000000}', '{'])(
  'the exchange rate parser rejects the response %s',
  (text) => {
    expect(() => parseRates(text)).toThrow();
  },
);
