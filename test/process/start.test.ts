import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejectedStart, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { serverUrl } from '../support/template.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quittance-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

// Covers only the embedded database. roles.test.ts starts processes on a database server.
describe.skipIf(serverUrl() !== undefined)('service startup', () => {
  it('logs its steps, prints new keys once, rejects a second process on the same data directory, and stops on SIGTERM despite open streams', {
    timeout: 120_000,
  }, async () => {
    const first = await startChild({ DATA_DIR: directory });
    const steps = first
      .output()
      .split('\n')
      .filter((line) => line.endsWith('…'));
    // The new database is unpacked from a prepared, migrated database, so no migration runs.
    expect(steps).toEqual(['Opening the embedded database …', 'Starting the services …']);
    const [, key] = await eventually(
      () => /(ck_sandbox_\S+)\n/.exec(first.output()) ?? [],
      ([line]) => line !== undefined,
    );
    const answer = await fetch(`${first.url}/api/v1/customers`, { headers: { 'x-api-key': key ?? '' } });
    expect(answer.status).toBe(200);

    // The first organization has no owner until someone opens the printed link.
    const lines = first.output().split('\n');
    const dashboard = `  Dashboard  ${first.url}/dashboard`;
    expect(lines).toContain(dashboard);
    const [claimUrl = ''] = /http:\S+\/claim\/\S+/.exec(first.output()) ?? [];
    expect(lines).toContain(
      `  Set it up  ${claimUrl}  (once, for seven days; a new link: npm run claim-link)`,
    );
    expect((await fetch(claimUrl)).status).toBe(200);
    const second = await rejectedStart({ DATA_DIR: directory });
    expect(second.code).toBe(2);
    expect(second.output).toMatch(/The embedded database in .* is open in process \d+\./);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);

    expect(await first.stop()).toBe(0);
    const again = await startChild({ DATA_DIR: directory });
    const greeting = await eventually(
      () => again.output(),
      (text) => text.includes(`  Dashboard  ${again.url}/dashboard\n`),
    );
    expect(greeting).not.toMatch(/ck_|claim/);
    // The process stops even if a client is still connected to a stream.
    const stream = await fetch(`${again.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': key ?? '' },
      body: JSON.stringify({ query: 'subscription { eventStream { event } }' }),
    });
    expect(stream.status).toBe(200);
    const ended = stream.text().catch(() => 'cut');
    expect(await again.stop()).toBe(0);
    await ended;
  });

  it.each([
    [
      'nothing listens there',
      'postgres://nobody@127.0.0.1:1/none',
      'The database server in DATABASE_URL cannot be reached. Check that it runs and that host and port are right.',
    ],
    [
      'its host is unknown',
      'postgres://nobody@nowhere.invalid/none',
      /^The database server in DATABASE_URL cannot be reached\. Its host name (doesn't exist|cannot be resolved)\.$/,
    ],
  ])("explains why the database can't be reached: %s", async (_why, url, sentence) => {
    const { code, output } = await rejectedStart({ DATABASE_URL: url });
    expect(code).toBe(2);
    const said = output.trim().split('\n').at(-1) ?? '';
    expect(said).toMatch(sentence);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('explains invalid settings', async () => {
    const { code, output } = await rejectedStart({ DATA_DIR: 'memory:', PORT: 'many', APP_SECRET: 'short' });
    expect(code).toBe(2);
    expect(output.trim()).toMatch(/^PORT: [^\n]+\. APP_SECRET: must have at least 32 characters\.$/);
  });
});
