import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

// A PostgreSQL server of a test's own, made from the programs of the machine, that it may break.

const run = promisify(execFile);

const quiet = (command: string, ...args: string[]): string | null => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
};

/** Where the programs of a server lie on this machine, the newest of several; null where there are none. */
function binaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [
    quiet('pg_config', '--bindir'),
    ...versions.map((version) => path.join(debian, version, 'bin')),
  ];
  return (
    places.find(
      (place) =>
        place !== null && ['initdb', 'pg_ctl'].every((program) => existsSync(path.join(place, program))),
    ) ?? null
  );
}

/** Whom the server runs as: it rejects root, and takes its user `postgres` there; null where root finds none. */
function account(): { readonly uid: number; readonly gid: number } | 'own' | null {
  if (process.getuid?.() !== 0) return 'own';
  const [uid, gid] = [quiet('id', '-u', 'postgres'), quiet('id', '-g', 'postgres')];
  return uid === null || gid === null ? null : { uid: Number(uid), gid: Number(gid) };
}

/** Why no server can be started here; null where one can. */
export const noClusterBecause = (): string | null =>
  binaries() === null
    ? 'this machine has no PostgreSQL server programs (initdb, pg_ctl)'
    : account() === null
      ? 'root has no user postgres to run a server as'
      : null;

/** A running server. */
export type Cluster = {
  /** The address of its database `postgres`. */
  readonly url: string;
  /** Ends it as a crash does, without a word to its clients, and starts it again, which repeats its log. Answers when it takes connections. */
  readonly crashAndRestart: () => Promise<void>;
  /** Dumps the database while it is used, restores the dump into another one, and answers the address of that. */
  readonly restoreDump: () => Promise<string>;
  /** Copies the files of the whole server while it is used, and starts another server with the copy. */
  readonly restoreBaseBackup: () => Promise<Cluster>;
  readonly remove: () => Promise<void>;
};

/** A directory for the files of a server, and a function that calls a program of its installation there. */
async function openDirectory() {
  const [place, user] = [binaries(), account()];
  if (place === null || user === null) throw new Error('No server can be started here.');
  const directory = await mkdtemp(path.join(tmpdir(), 'quittance-cluster-'));
  if (user !== 'own') chownSync(directory, user.uid, user.gid);
  const call = (program: string, ...args: string[]) =>
    run(path.join(place, program), args, {
      cwd: directory,
      ...(user === 'own' ? {} : user),
      env: { ...process.env, LC_ALL: 'C' },
    });
  return { directory, data: path.join(directory, 'data'), call };
}

/** Starts a server in a directory that has its files, on a free port. */
async function serve({ directory, data, call }: Awaited<ReturnType<typeof openDirectory>>): Promise<Cluster> {
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${directory}`;
  const control = (...args: string[]) =>
    call('pg_ctl', '-D', data, '-l', path.join(directory, 'log'), '-w', ...args);
  await control('-o', options, 'start');
  const server = `postgres://postgres@127.0.0.1:${port}`;
  return {
    url: `${server}/postgres`,
    crashAndRestart: async () => {
      await control('-m', 'immediate', '-o', options, 'restart');
    },
    restoreDump: async () => {
      const file = path.join(directory, 'dump');
      await call('pg_dump', '--format=custom', `--file=${file}`, `${server}/postgres`);
      await call('createdb', `--maintenance-db=${server}/postgres`, 'restored');
      await call('pg_restore', '--exit-on-error', `--dbname=${server}/restored`, file);
      return `${server}/restored`;
    },
    restoreBaseBackup: async () => {
      const copy = await openDirectory();
      await call(
        'pg_basebackup',
        `--dbname=${server}`,
        `--pgdata=${path.join(directory, 'copy')}`,
        '--checkpoint=fast',
        '--no-sync',
      );
      await rename(path.join(directory, 'copy'), copy.data);
      return serve(copy);
    },
    remove: async () => {
      await control('-m', 'immediate', 'stop');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Makes and starts a server on a free port. */
export async function startCluster(): Promise<Cluster> {
  const place = await openDirectory();
  await place.call('initdb', '-D', place.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  return serve(place);
}
