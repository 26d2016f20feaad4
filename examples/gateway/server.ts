import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Quittance } from '@quittance/sdk';
import OpenAI from 'openai';
import { gatewayWith } from './app.ts';

const { env } = process;

const quittance = new Quittance({
  baseUrl: env['QUITTANCE_URL'] ?? '',
  apiKey: env['QUITTANCE_API_KEY'] ?? '',
  onDropped: (event, error) => console.error('Usage was not recorded', event, error),
});

const app = gatewayWith({
  quittance,
  // The client reads OPENAI_API_KEY and OPENAI_BASE_URL. Callers of the gateway decide about retries.
  openai: new OpenAI({ maxRetries: 0 }),
  teams: JSON.parse(readFileSync('teams.json', 'utf8')),
  holdSeconds: Number(env['HOLD_SECONDS'] ?? 900),
});

const server = serve({ fetch: app.fetch, port: Number(env['PORT'] ?? 3002) }, ({ port }) =>
  console.log(`The gateway runs on http://localhost:${port}/v1`),
);

// Open calls end, and their usage is recorded, before the process exits.
process.once('SIGTERM', () => server.close(() => void quittance.flush().then(() => process.exit(0))));
