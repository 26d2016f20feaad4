import { type ChildProcess, execFile } from 'node:child_process';
import path from 'node:path';
import type { KnownTexts } from '../graphql/declare/trusted-documents.ts';
import type { Log } from '../platform/log.ts';
import { root } from '../platform/root.ts';
import { type BuildName, buildStamp, buildsFolder } from './build-stamp.ts';
import { readBuild, type WebBuild } from './built-files.ts';

export type BuildState =
  | { readonly status: 'building' }
  | { readonly status: 'ready'; readonly build: WebBuild }
  | { readonly status: 'failed' };

/** Access to a build of the browser code. */
export type WebBuilds = {
  /** Returns the build state. If the code is watched, checks for changes first. */
  readonly state: () => Promise<BuildState>;
  /** Waits for the build to finish. Returns `null` if it failed. */
  readonly finished: () => Promise<WebBuild | null>;
  /** GraphQL documents in the built code. Empty before the first build. */
  readonly documents: KnownTexts;
  readonly close: () => void;
};

/** Maximum size of a build's output in bytes. */
const outputBytes = 1_048_576;

const failures: Readonly<Record<BuildName, string>> = {
  dashboard: 'The dashboard could not be built; the API is not affected.',
  pages: 'The pages of customers could not be built; the API is not affected.',
};

type Settings = {
  readonly name: BuildName;
  readonly log: Log;
  /** True to check for code changes each time the build is requested. */
  readonly watches: boolean;
  /** True to start the build with the first request instead of immediately. */
  readonly isLazy?: boolean;
};

/** Flags of Node for a build, as in `npm run build`. Few objects are short-lived, so they need little space. */
const buildFlags = ['--max-semi-space-size=2'];

/** Starts a build in a separate process. */
function runBuild(
  name: BuildName,
  stamp: string,
): { child: ChildProcess; ended: Promise<{ error: Error | null; output: string }> } {
  const { promise: ended, resolve } = Promise.withResolvers<{ error: Error | null; output: string }>();
  const child = execFile(
    process.execPath,
    [...buildFlags, path.join(root, 'src/web/build.ts'), name, stamp],
    { cwd: root, maxBuffer: outputBytes },
    (error, stdout, stderr) => resolve({ error, output: `${stdout}${stderr}`.trim() }),
  );
  child.unref();
  return { child, ended };
}

/** Loads a browser code build from disk. If it doesn't exist, builds the code in a separate process. */
export function openWebBuilds({ name, log, watches, isLazy = false }: Settings): WebBuilds {
  let state: BuildState = { status: 'building' };
  let stamp: string | null = null;
  let child: ChildProcess | null = null;
  let built = Promise.resolve();
  let mayBuild = !isLazy;
  let hasBegun = false;
  let isClosed = false;

  const fail = (details: Record<string, unknown>): void => {
    state = { status: 'failed' };
    log.error(details, failures[name]);
  };
  const read = (wanted: string): Promise<WebBuild | null> => readBuild(path.join(buildsFolder(name), wanted));

  async function build(wanted: string): Promise<void> {
    child?.kill();
    const run = runBuild(name, wanted);
    child = run.child;
    const { error, output } = await run.ended;
    const found = error === null ? await read(wanted) : null;
    if (isClosed || stamp !== wanted) return;
    child = null;
    if (found === null) fail({ output });
    else state = { status: 'ready', build: found };
  }

  /** Loads the build for the current code. If it doesn't exist, starts a build, unless the build is lazy and hasn't been requested yet. */
  async function check(): Promise<void> {
    const now = await buildStamp(name);
    if (isClosed || (now === stamp && hasBegun === mayBuild)) return;
    [stamp, hasBegun] = [now, mayBuild];
    const found = await read(now);
    if (stamp !== now || isClosed) return;
    state = found === null ? { status: 'building' } : { status: 'ready', build: found };
    if (found === null && mayBuild) built = build(now).catch((error: unknown) => fail({ err: error }));
  }

  const begin = (): Promise<void> => check().catch((error: unknown) => fail({ err: error }));
  let first = begin();
  const ask = async (): Promise<BuildState> => {
    if (!mayBuild) {
      mayBuild = true;
      first = first.then(begin);
    }
    await first;
    if (watches) await check();
    return state;
  };
  return {
    state: ask,
    finished: async () => {
      await ask();
      await built;
      return state.status === 'ready' ? state.build : null;
    },
    documents: {
      has: (text) => state.status === 'ready' && state.build.documents.has(text),
      named: (hash) => (state.status === 'ready' ? state.build.documents.named(hash) : undefined),
    },
    close: () => {
      isClosed = true;
      child?.kill();
    },
  };
}
