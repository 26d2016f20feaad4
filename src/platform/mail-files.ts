import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ending = '.eml';

/** A folder of emails that keeps the newest ones: names are in order of age, and what is too many goes when something is added. */
class Folder {
  readonly #directory: string;
  readonly #limit: number;
  /** The names in the folder, the oldest first; read once. */
  #names: Promise<string[]> | null = null;

  constructor(directory: string, limit: number) {
    this.#directory = directory;
    this.#limit = limit;
  }

  async #read(): Promise<string[]> {
    await mkdir(this.#directory, { recursive: true });
    return (await readdir(this.#directory)).filter((name) => name.endsWith(ending)).sort();
  }

  async keep(name: string, content: Buffer): Promise<void> {
    this.#names ??= this.#read();
    const names = await this.#names;
    const file = `${name}${ending}`;
    await writeFile(path.join(this.#directory, file), content);
    if (!names.includes(file)) names.push(file);
    // Of files written beside each other an older one may come last.
    if (names.at(-2) !== undefined && file < (names.at(-2) ?? '')) names.sort();
    await this.#remove(names.splice(0, Math.max(0, names.length - this.#limit)));
  }

  async forget(provided: readonly string[]): Promise<void> {
    const files = provided.map((name) => `${name}${ending}`);
    const names = (await this.#names) ?? [];
    for (const file of files) {
      const at = names.indexOf(file);
      if (at !== -1) names.splice(at, 1);
    }
    await this.#remove(files);
  }

  async #remove(files: readonly string[]): Promise<void> {
    await Promise.all(files.map((file) => rm(path.join(this.#directory, file), { force: true })));
  }
}

/** Emails as files that mail programs open, in folders below a directory, up to a number of files each. */
export class MailFiles {
  readonly #directory: string;
  readonly #limit: number;
  readonly #folders = new Map<string, Folder>();

  constructor(directory: string, limit: number) {
    this.#directory = directory;
    this.#limit = limit;
  }

  #folder(name: string): Folder {
    const folder = this.#folders.get(name) ?? new Folder(path.join(this.#directory, name), this.#limit);
    this.#folders.set(name, folder);
    return folder;
  }

  /** Keeps an email as `<name>.eml` in a folder; the directory itself for an empty one. */
  keep(folder: string, name: string, content: Buffer): Promise<void> {
    return this.#folder(folder).keep(name, content);
  }

  /** Removes emails of a folder by their names; those that are not there are gone already. */
  forget(folder: string, names: readonly string[]): Promise<void> {
    return this.#folder(folder).forget(names);
  }
}
