import { monotonicMs } from './infra/clock.ts';
import { type Config, ConfigurationError, readConfig } from './infra/config.ts';
import { DataDirectoryInUseError } from './infra/data-directory.ts';
import { MigrationError } from './infra/migrate.ts';
import { start } from './start.ts';

// Starts the process and stops it on a signal. Everything else is in start.ts, where tests can reach it.

/** Ends the process with a sentence instead of a stack where the person at the keyboard can do something about it. */
function fail(error: unknown): never {
  const known = error instanceof ConfigurationError || error instanceof DataDirectoryInUseError || error instanceof MigrationError;
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (known) console.error(error.message);
  else if (taken) console.error('The port is taken by another program. Set PORT to a free one.');
  else console.error(error);
  process.exit(known || taken ? 2 : 1);
}

function greet(config: Config, url: string, created: { sandboxKey: string; liveKey: string } | null): void {
  console.log(`Quittance answers at ${url} (ready ${Math.round(monotonicMs())} ms after the start)`);
  console.log(`  REST       ${url}/api/v1        reference ${url}/docs`);
  console.log(`  GraphQL    ${url}/graphql       also WebSocket and server-sent events`);
  console.log(`  Database   ${config.databaseUrl === undefined ? `embedded, in ${config.dataDir}` : 'PostgreSQL'}`);
  if (created !== null) {
    console.log(`  Sandbox key (shown this once)  ${created.sandboxKey}`);
    console.log(`  Live key    (shown this once)  ${created.liveKey}`);
  }
}

try {
  const config = readConfig();
  const running = await start(config);
  greet(config, running.url, running.created);
  let closing = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1);
      closing = true;
      running.close().then(() => process.exit(0), fail);
    });
  }
} catch (error) {
  fail(error);
}
