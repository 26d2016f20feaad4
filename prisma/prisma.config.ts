import { defineConfig } from 'prisma/config';

// Generation needs no schema engine, yet the command line rejects to start without finding one; Node stands in for it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({ schema: '.', migrations: { path: 'migrations' } });
