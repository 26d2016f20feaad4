import { monotonicMs } from './platform/clock.ts';
import { type Config, readConfig } from './platform/config.ts';
import { guarded } from './platform/guard.ts';
import { catchTheRest } from './platform/last-resort.ts';
import { releaseMemory } from './platform/release-memory.ts';
import { type Running, start } from './start.ts';
import { failStart } from './start-errors.ts';

// Entry point of the process: starts Quittance and stops it on a signal. The start-up logic is in `start.ts`, so that tests can call it.

function greet(config: Config, { url, app, created }: Running): void {
  console.log(`Quittance answers at ${url} (ready in ${(monotonicMs() / 1_000).toFixed(1)} s)`);
  console.log(`  REST       ${url}/api/v1        reference ${url}/docs`);
  console.log(`  GraphQL    ${url}/graphql       also WebSocket and server-sent events`);
  console.log(
    `  Database   ${config.databaseUrl === undefined ? `embedded, in ${config.dataDir}` : 'PostgreSQL'}`,
  );
  console.log(`  Dashboard  ${app.config.publicUrl}/dashboard`);
  if (created === null) return;
  const { claim, keys } = created;
  console.log(`  Set it up  ${claim.url}  (once, for seven days; a new link: npm run claim-link)`);
  if (keys === null) return;
  console.log(`  Sandbox key (shown this once)  ${keys.sandboxKey}`);
  console.log(`  Live key    (shown this once)  ${keys.liveKey}`);
}

try {
  const config = readConfig();
  const running = await start(config, { onStep: (step) => console.log(`${step} …`) });
  const { log } = running.app;
  catchTheRest(log, running.close);
  let closing = false;
  const stop = async (): Promise<void> => {
    if (closing) process.exit(1);
    closing = true;
    await running.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(
      signal,
      guarded(log, 'The process could not stop in order.', stop, () => process.exit(1)),
    );
  }
  // The handlers come first, because a supervisor that reads the address can stop the process, and releasing memory blocks the process.
  greet(config, running);
  releaseMemory();
} catch (error) {
  failStart(error);
}
