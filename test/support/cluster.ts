import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

// Starts PostgreSQL servers that tests can crash, using the programs installed on this machine.

const run = promisify(execFile);

const quiet = (command: string, ...args: string[]): string | null => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
};

/** Folder of the newest PostgreSQL programs on this machine. `null` if PostgreSQL isn't installed. */
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

/** User that runs the server. PostgreSQL refuses to run as root, so root uses `postgres`. `null` if that user doesn't exist. */
function account(): { readonly uid: number; readonly gid: number } | 'own' | null {
  if (process.getuid?.() !== 0) return 'own';
  const [uid, gid] = [quiet('id', '-u', 'postgres'), quiet('id', '-g', 'postgres')];
  return uid === null || gid === null ? null : { uid: Number(uid), gid: Number(gid) };
}

/** Reason why no server can be started on this machine. `null` if a server can be started. */
export const noClusterBecause = (): string | null =>
  binaries() === null
    ? 'this machine has no PostgreSQL server programs (initdb, pg_ctl)'
    : account() === null
      ? 'root has no user postgres to run a server as'
      : null;

export type Cluster = {
  /** URL of the server's database `postgres`. */
  readonly url: string;
  /**
   * Crashes the server without notifying its clients, then restarts it. The server replays its log. Resolves when the server accepts
   * connections.
   */
  readonly crashAndRestart: () => Promise<void>;
  /** Dumps the database under load and restores it into another database. Returns the other database's URL. */
  readonly restoreDump: () => Promise<string>;
  /** Copies the server's files under load and starts another server with the copy. */
  readonly restoreBaseBackup: () => Promise<Cluster>;
  /**
   * Copies the server's files under load. The returned function starts another server with the copy and the archived logs up to a time. The
   * server must archive its logs.
   */
  readonly baseBackup: () => Promise<(until: string) => Promise<Cluster>>;
  /** Starts a server that replays this server's log and accepts reads. */
  readonly standby: () => Promise<Cluster>;
  readonly remove: () => Promise<void>;
};

/** Creates a data directory. Returns it and a function that runs PostgreSQL programs as the server's user. */
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

/** Folder of the archived logs of a server. */
const archiveOf = (directory: string): string => path.join(directory, 'archive');

/** Settings of a server that archives its logs. */
const archiving = (archive: string): string =>
  `archive_mode = on\narchive_command = 'mkdir -p ${archive} && cp %p ${archive}/%f'\n`;

/** Settings of a server that restores archived logs up to a time, and then accepts writes. */
const recovery = (archive: string, until: string): string =>
  [
    'archive_mode = off',
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${until}'`,
    "recovery_target_action = 'promote'",
    '',
  ].join('\n');

/** Starts a server on a free port with an existing data directory. */
async function serve({ directory, data, call }: Awaited<ReturnType<typeof openDirectory>>): Promise<Cluster> {
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${directory}`;
  const control = (...args: string[]) =>
    call('pg_ctl', '-D', data, '-l', path.join(directory, 'log'), '-w', ...args);
  await control('-o', options, 'start');
  const server = `postgres://postgres@127.0.0.1:${port}`;
  const copied = async (...options: readonly string[]) => {
    const copy = await openDirectory();
    const files = path.join(directory, path.basename(copy.directory));
    const fast = ['--checkpoint=fast', '--no-sync'];
    await call('pg_basebackup', `--dbname=${server}`, `--pgdata=${files}`, ...fast, ...options);
    await rename(files, copy.data);
    return copy;
  };
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
    restoreBaseBackup: async () => serve(await copied()),
    standby: async () => serve(await copied('--write-recovery-conf')),
    baseBackup: async () => {
      const copy = await copied();
      return async (until) => {
        await appendFile(path.join(copy.data, 'postgresql.conf'), recovery(archiveOf(directory), until));
        await writeFile(path.join(copy.data, 'recovery.signal'), '');
        return serve(copy);
      };
    },
    remove: async () => {
      await control('-m', 'immediate', 'stop');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Creates a data directory and starts a server on a free port. The server archives its logs if `archives` is true. */
export async function startCluster({ archives = false } = {}): Promise<Cluster> {
  const place = await openDirectory();
  await place.call('initdb', '-D', place.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  if (archives) {
    await appendFile(path.join(place.data, 'postgresql.conf'), archiving(archiveOf(place.directory)));
  }
  return serve(place);
}
