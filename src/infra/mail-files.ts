import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ending = '.eml';

/** A folder of letters that keeps the newest ones: names are in order of age, and what is too many goes when something is added. */
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
    const tooMany = names.splice(0, Math.max(0, names.length - this.#limit));
    await Promise.all(tooMany.map((old) => rm(path.join(this.#directory, old), { force: true })));
  }
}

/** Letters as files that mail programs open, in folders below a directory, at most so many each. */
export class MailFiles {
  readonly #directory: string;
  readonly #limit: number;
  readonly #folders = new Map<string, Folder>();

  constructor(directory: string, limit: number) {
    this.#directory = directory;
    this.#limit = limit;
  }

  /** Keeps a letter as `<name>.eml` in a folder; the directory itself for an empty one. */
  async keep(folder: string, name: string, content: Buffer): Promise<void> {
    const known = this.#folders.get(folder) ?? new Folder(path.join(this.#directory, folder), this.#limit);
    this.#folders.set(folder, known);
    await known.keep(name, content);
  }
}
