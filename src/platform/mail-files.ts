import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ending = '.eml';

/** Folder with a limited number of emails. File names are in chronological order. If the folder is full, adding a file deletes the oldest files. */
class Folder {
  readonly #directory: string;
  readonly #limit: number;
  /** Names of the files in the folder, oldest first. Loaded on first use. */
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
    // Sorts the names again, because concurrent writes can finish in a different order.
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

/** Stores emails as files that mail clients can open. Each subfolder has a maximum number of files. */
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

  /** Stores an email as `<name>.eml`. An empty folder name selects the main directory. */
  keep(folder: string, name: string, content: Buffer): Promise<void> {
    return this.#folder(folder).keep(name, content);
  }

  /** Deletes emails in a folder. Ignores missing files. */
  forget(folder: string, names: readonly string[]): Promise<void> {
    return this.#folder(folder).forget(names);
  }
}
