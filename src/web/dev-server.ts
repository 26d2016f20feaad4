import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { InlineConfig, Plugin } from 'vite';
import { root } from '../platform/root.ts';
import { documentsPlugin } from './documents-plugin.ts';
import { loadVite } from './load-vite.ts';

// Vite's development server for the dashboard. It runs in the service's process and uses the service's port. Edits of components, messages and
// documents reach open pages without a reload.

/** Module that starts the dashboard. React's hot reload must be active before the first component loads. */
export const startModule = 'virtual:start-dashboard';

const startPlugin: Plugin = {
  name: 'start-dashboard',
  resolveId: (source) => (source === startModule ? `\0${startModule}` : null),
  load: (id) =>
    id === `\0${startModule}`
      ? "import '@vitejs/plugin-react/preamble'; import '/src/dashboard/main.tsx';"
      : null,
};

const source = path.join(root, 'src');
const schemaFile = path.join(root, 'schema.graphql');
const cacheDir = path.join(root, '.cache/vite');

/** True for files whose changes can't affect the dashboard, such as files of the embedded database. */
const isUnrelated = (file: string): boolean =>
  file !== root && file !== source && !file.startsWith(`${source}/`) && file !== schemaFile;

export type DevServer = {
  /** Responds to a request for a module. `url` includes the base path. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** Opens the WebSocket that announces changes to a page. */
  readonly upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly close: () => Promise<void>;
};

/**
 * Starts the development server for modules below the path `base`. Adds the GraphQL documents of loaded modules to `documents`. `host` is an additional
 * host name that pages can use.
 */
export async function openDevServer({
  base,
  host,
  documents,
}: {
  readonly base: string;
  readonly host: string;
  readonly documents: Set<string>;
}): Promise<DevServer> {
  const { createServer: openVite, searchForWorkspaceRoot } = await loadVite();
  // The plugins import Vite, so they must be loaded after the allocator is set.
  const { dashboardConfig } = await import('./vite.ts');
  const { plugins = [], ...config } = dashboardConfig(undefined, documentsPlugin(documents));
  // Never listens. The service passes on the upgrade requests for modules only.
  const upgrades = new Server();
  const vite = await openVite({
    ...config,
    plugins: [...plugins, startPlugin],
    base,
    cacheDir,
    appType: 'custom',
    optimizeDeps: { entries: ['src/dashboard/main.tsx'] },
    server: {
      middlewareMode: true,
      ws: { server: upgrades },
      allowedHosts: [host],
      cors: false,
      watch: { ignored: [isUnrelated] },
      fs: { allow: [source, cacheDir, path.join(searchForWorkspaceRoot(root), 'node_modules')] },
    },
  } satisfies InlineConfig);
  return {
    answer: (incoming, outgoing) => vite.middlewares(incoming, outgoing),
    upgrade: (incoming, socket, head) => void upgrades.emit('upgrade', incoming, socket, head),
    close: () => vite.close(),
  };
}
