import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../platform/root.ts';
import { argumentsOf } from './arguments.ts';
import { type MessageFolder, messageFolders, readMessages, sourceLanguage } from './catalogs.ts';
import type { MessageTree } from './compile.ts';

// Generates message types. `src/generated/messages/<folder>.ts` declares a string or a function with named arguments for each English message. Only
// type checking needs these files.

const target = path.join(root, 'src/generated/messages');

const nameOf = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));

/** Returns the type of a message: `string`, or a function of its arguments. */
function typeOf(message: string): string {
  const values = [...argumentsOf(message)].map(([name, type]) => `readonly ${nameOf(name)}: ${type}`);
  return values.length === 0 ? 'string' : `(values: { ${values.join('; ')} }) => string`;
}

/**
 * Returns the properties of a catalog's type. The comment above each property contains the English message, so that
 * editors can show it.
 */
const membersOf = (messages: MessageTree, depth: string): string =>
  Object.entries(messages)
    .map(([key, message]) =>
      typeof message === 'string'
        ? `${depth}/** ${message.replaceAll('*/', '*\\/')} */\n${depth}readonly ${nameOf(key)}: ${typeOf(message)};\n`
        : `${depth}readonly ${nameOf(key)}: {\n${membersOf(message, `${depth}  `)}${depth}};\n`,
    )
    .join('');

/** Returns the source of a folder's type file. */
async function typesOf(folder: MessageFolder): Promise<string> {
  return `export type Messages = {\n${membersOf(await readMessages(folder, sourceLanguage), '  ')}};\n`;
}

/** Writes the types of all catalogs. Throws if a message has a syntax error. */
export async function writeMessageTypes(): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const folder of Object.keys(messageFolders) as MessageFolder[]) {
    const place = path.join(target, `${folder}.ts`);
    const types = await typesOf(folder);
    if ((await readFile(place, 'utf8').catch(() => '')) !== types) await writeFile(place, types);
  }
}
