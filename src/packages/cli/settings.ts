import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Settings that the command line stores between commands. */
export type Settings = {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Sandbox key of the server that `dev` starts. */
  readonly developmentKey?: string;
  /** Secret that signs forwarded events. */
  readonly webhookSecret?: string;
};

/** Returns the path of the settings file. `QUITTANCE_CONFIG` replaces the default. */
export const settingsFile = (): string =>
  process.env['QUITTANCE_CONFIG'] ??
  path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config'), 'quittance', 'settings.json');

/** Reads the stored settings. Empty if nothing was stored. */
export function readSettings(): Settings {
  try {
    return JSON.parse(readFileSync(settingsFile(), 'utf8')) as Settings;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * Returns the absolute path of a file that an argument names. npm changes the working directory to the checkout, so relative paths refer to
 * the directory in which npm was started.
 */
export const namedFile = (name: string): string => path.resolve(process.env['INIT_CWD'] ?? '.', name);

/** Writes a file that only the current user can read. */
export function writePrivateFile(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  // The mode of `writeFileSync` only applies to new files.
  chmodSync(file, 0o600);
}

/** Stores settings in a file that only the current user can read. */
export function writeSettings(settings: Settings): void {
  const file = settingsFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writePrivateFile(file, `${JSON.stringify(settings, null, 2)}\n`);
}

/** Deletes the stored settings. */
export const deleteSettings = (): void => rmSync(settingsFile(), { force: true });
