import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Messages as DashboardMessages } from '../../src/generated/messages/dashboard.ts';
import type { Messages as PageMessages } from '../../src/generated/messages/pages.ts';
import { messageFolders } from '../../src/messages/catalogs.ts';
import { loadMessages, type MessageTree } from '../../src/messages/compile.ts';
import { root } from '../../src/platform/root.ts';

type Catalogs = { readonly dashboard: DashboardMessages; readonly pages: PageMessages };

/** Returns the messages of a catalog area in a language. */
export function messagesIn<Folder extends keyof Catalogs, Area extends keyof Catalogs[Folder] & string>(
  folder: Folder,
  language: 'en' | 'es' | 'pt-BR',
  area: Area,
): Catalogs[Folder][Area] {
  const file = path.join(root, messageFolders[folder], language, `${area}.json`);
  const tree = JSON.parse(readFileSync(file, 'utf8')) as MessageTree;
  return loadMessages<Catalogs[Folder][Area]>(tree, language);
}
