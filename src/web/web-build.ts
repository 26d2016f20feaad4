import { type ChildProcess, execFile } from 'node:child_process';
import path from 'node:path';
import type { KnownTexts } from '../graphql/declare/trusted-documents.ts';
import type { Log } from '../platform/log.ts';
import { root } from '../platform/root.ts';
import { type BuildName, buildStamp, buildsFolder } from './build-stamp.ts';
import { readBuild, type WebBuild } from './built-files.ts';

export type BuildState<T = WebBuild> =
  | { readonly status: 'building' }
  | { readonly status: 'ready'; readonly build: T }
  | { readonly status: 'failed' };

/** Access to a build that another process makes. */
export type Builds<T> = {
  /** Returns the build state. If the code is watched, checks for changes first. */
  readonly state: () => Promise<BuildState<T>>;
  /** Returns the build state without checking for changes. */
  readonly current: () => BuildState<T>;
  /** Waits for the build to finish. Returns `null` if it failed. */
  readonly finished: () => Promise<T | null>;
  readonly close: () => void;
};

/** Access to a build of the browser code. */
export type WebBuilds = Omit<Builds<WebBuild>, 'current'> & {
  /** GraphQL documents in the built code. Empty before the first build. */
  readonly documents: KnownTexts;
};

/** Maximum size of a build's output in bytes. */
const outputBytes = 1_048_576;

const failures: Readonly<Record<BuildName, string>> = {
  dashboard: 'The dashboard could not be built; the API is not affected.',
  pages: 'The pages of customers could not be built; the API is not affected.',
  docs: 'The documentation site could not be built; its pages are served as Markdown.',
};

type Settings = {
  readonly name: BuildName;
  readonly log: Log;
  /** True to check for code changes each time the build is requested. */
  readonly watches: boolean;
  /** True to start the build with the first request instead of immediately. */
  readonly isLazy?: boolean;
};

/** Command that makes a build, and function that reads a build. */
type Maker<T> = {
  /** Script and arguments that make the build. The stamp of the build is the last argument. */
  readonly command: readonly string[];
  /** Reads a build from its folder. Returns `null` if the folder contains no build. */
  readonly read: (folder: string) => Promise<T | null>;
};

/** Flags of Node for a build, as in `npm run build`. Few objects are short-lived, so they need little space. */
const buildFlags = ['--max-semi-space-size=2'];

/** Starts a build in a separate process. */
function runBuild([script = '', ...args]: readonly string[]): {
  child: ChildProcess;
  ended: Promise<{ error: Error | null; output: string }>;
} {
  const { promise: ended, resolve } = Promise.withResolvers<{ error: Error | null; output: string }>();
  const child = execFile(
    process.execPath,
    [...buildFlags, path.join(root, script), ...args],
    { cwd: root, maxBuffer: outputBytes },
    (error, stdout, stderr) => resolve({ error, output: `${stdout}${stderr}`.trim() }),
  );
  child.unref();
  return { child, ended };
}

/** Loads a build from disk. If it doesn't exist, makes the build in a separate process. */
export function openBuilds<T>(
  { name, log, watches, isLazy = false }: Settings,
  { command, read: readFrom }: Maker<T>,
): Builds<T> {
  let state: BuildState<T> = { status: 'building' };
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
  const read = (wanted: string): Promise<T | null> => readFrom(path.join(buildsFolder(name), wanted));

  async function build(wanted: string): Promise<void> {
    child?.kill();
    const run = runBuild([...command, wanted]);
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
  const ask = async (): Promise<BuildState<T>> => {
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
    current: () => state,
    finished: async () => {
      await ask();
      await built;
      return state.status === 'ready' ? state.build : null;
    },
    close: () => {
      isClosed = true;
      child?.kill();
    },
  };
}

/** Loads a build of the browser code from disk. If it doesn't exist, builds the code in a separate process. */
export function openWebBuilds(settings: Settings): WebBuilds {
  const { current, ...builds } = openBuilds(settings, {
    command: ['src/web/build.ts', settings.name],
    read: readBuild,
  });
  const documentsOf = (state: BuildState): KnownTexts | null =>
    state.status === 'ready' ? state.build.documents : null;
  return {
    ...builds,
    documents: {
      has: (text) => documentsOf(current())?.has(text) === true,
      named: (hash) => documentsOf(current())?.named(hash),
    },
  };
}
