import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { dashboardConfig } from '../../src/web/vite.ts';

const root = path.resolve(import.meta.dirname, '../..');
const entry = 'test/dashboard/kit/index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Builds the pages in production mode, as the product does. Test mode behaves differently. */
async function buildPages(outDir: string): Promise<void> {
  const config = dashboardConfig();
  const { NODE_ENV = 'test' } = process.env;
  process.env['NODE_ENV'] = 'production';
  const input = path.join(root, entry);
  await build({
    ...config,
    build: { ...config.build, outDir, emptyOutDir: true, rolldownOptions: { input } },
  }).finally(() => {
    process.env['NODE_ENV'] = NODE_ENV;
  });
}

/** Serves pages that show all kit components, built like the dashboard. */
export async function openKitPages(): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kit-'));
  await buildPages(folder);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    readFile(path.join(folder, path.normalize(pathname))).then(
      (body) => {
        response.setHeader('content-type', types[path.extname(pathname)] ?? 'application/octet-stream');
        response.setHeader(
          'content-security-policy',
          "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-kit'; img-src 'self' data:; font-src 'self'; connect-src 'self'",
        );
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${entry}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
