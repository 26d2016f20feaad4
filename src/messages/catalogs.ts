import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../platform/root.ts';
import type { MessageTree } from './compile.ts';

// Message files: `<folder>/<language>/<area>.json`. This module is only for development tools and tests. Browser code and the service
// import the files directly.

/** Folder of each message catalog, by the name of the catalog's generated types. */
export const messageFolders = {
  dashboard: 'src/dashboard/words',
  pages: 'src/pages/words',
  documents: 'src/documents/words',
  emails: 'src/modules/messages/emails/words',
  accounts: 'src/identity/words',
} as const;

export type MessageFolder = keyof typeof messageFolders;

/** Language of the original messages, before translation. */
export const sourceLanguage = 'en';

/** Returns the languages of a folder, which are its subfolders. */
export async function languagesIn(folder: MessageFolder): Promise<string[]> {
  const entries = await readdir(path.join(root, messageFolders[folder]), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Reads the messages in a folder for one language, by area. */
export async function readMessages(
  folder: MessageFolder,
  language: string,
): Promise<Readonly<Record<string, MessageTree>>> {
  const place = path.join(root, messageFolders[folder], language);
  const files = (await readdir(place)).filter((name) => name.endsWith('.json')).sort();
  const areas = await Promise.all(
    files.map(async (name) => [
      path.basename(name, '.json'),
      JSON.parse(await readFile(path.join(place, name), 'utf8')) as MessageTree,
    ]),
  );
  return Object.fromEntries(areas);
}
