import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { knownTexts } from '../graphql/declare/trusted-documents.ts';
import { root } from '../platform/root.ts';
import type { App } from '../request/context.ts';
import type { WebBuild } from './built-files.ts';
import type { DevServer } from './dev-server.ts';
import type { BuildState, WebBuilds } from './web-build.ts';

/** Dashboard code that Vite's development server serves. Replaces a build. */
export type DevBuilds = WebBuilds & {
  /** Responds to a request for a module. Returns false if the request is for something else. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean>;
  /** Opens a page's WebSocket for changes. Returns false if the upgrade request is for something else. */
  readonly upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
};

const prefix = '/web/';

/** Loads the development server from the sources, so that Vite isn't part of a bundled service. */
const loadDevServer = (): Promise<typeof import('./dev-server.ts')> =>
  import(pathToFileURL(path.join(root, 'src/web/dev-server.ts')).href);

/** Starts Vite's development server for the dashboard, below `/web/`. */
export function openDevBuilds({ config, log }: App): DevBuilds {
  const { pathname, hostname } = new URL(config.publicUrl);
  const parent = pathname.replace(/\/+$/, '');
  const texts = new Set<string>();
  const documents = {
    has: (text: string) => texts.has(text),
    named: (hash: string) => knownTexts(texts).named(hash),
  };
  let state: BuildState = { status: 'building' };

  async function open(): Promise<DevServer | null> {
    try {
      const { openDevServer, startModule } = await loadDevServer();
      const server = await openDevServer({ base: `${parent}${prefix}`, host: hostname, documents: texts });
      const build: WebBuild = {
        manifestOf: (entry) => ({ [entry]: { file: `@id/${startModule}` } }),
        documents,
        renderer: null,
        file: () => null,
        // Vite waits in a worker until a restarted service responds.
        workers: ['blob:'],
      };
      state = { status: 'ready', build };
      return server;
    } catch (error) {
      state = { status: 'failed' };
      log.error({ err: error }, 'The development server of the dashboard could not start.');
      return null;
    }
  }

  const opened = open();
  /** Vite expects the base path, which a proxy in front of the service removes. */
  const withParent = (incoming: IncomingMessage): IncomingMessage => {
    incoming.url = `${parent}${incoming.url}`;
    return incoming;
  };
  const isModule = ({ url = '' }: IncomingMessage): boolean => url.startsWith(prefix);
  return {
    state: async () => state,
    finished: async () => {
      await opened;
      return state.status === 'ready' ? state.build : null;
    },
    documents,
    answer: async (incoming, outgoing) => {
      if (!isModule(incoming)) return false;
      const server = await opened;
      if (server === null) return false;
      server.answer(withParent(incoming), outgoing);
      return true;
    },
    upgrade: (incoming, socket, head) => {
      if (!isModule(incoming)) return false;
      opened
        .then((server) => {
          if (server === null) socket.destroy();
          else server.upgrade(withParent(incoming), socket, head);
        })
        .catch(() => socket.destroy());
      return true;
    },
    close: () => {
      void opened
        .then((server) => server?.close())
        .catch((error: unknown) =>
          log.error({ err: error }, 'The development server of the dashboard could not stop.'),
        );
    },
  };
}
