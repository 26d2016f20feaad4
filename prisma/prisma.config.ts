import { defineConfig } from 'prisma/config';

// The Prisma CLI requires a schema engine, although generation doesn't use it. Any executable is sufficient.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({ schema: '.', migrations: { path: 'migrations' } });
