#!/usr/bin/env node
// Command line of the API: `node src/packages/cli/main.ts --help`.
import { defineCommand, renderUsage, runCommand } from 'citty';
import { login, logout, provision, whoami } from './commands/account.ts';
import { catalog } from './commands/catalog.ts';
import { clock } from './commands/clock.ts';
import { dev } from './commands/dev.ts';
import { doctor } from './commands/doctor.ts';
import { events, listen } from './commands/events.ts';
import { exportFile } from './commands/export.ts';
import { logs } from './commands/logs.ts';
import { graphql, rawCommands } from './commands/raw.ts';
import { trigger } from './commands/trigger.ts';
import { fail, UsageError } from './output.ts';

const main = defineCommand({
  meta: { name: 'quittance', description: 'Command line of the Quittance billing API.' },
  subCommands: {
    provision,
    login,
    logout,
    whoami,
    doctor,
    dev,
    listen,
    trigger,
    events,
    logs,
    clock,
    export: exportFile,
    catalog,
    ...rawCommands,
    graphql,
  },
});

type Command = typeof main;

const named = (command: Command, name: string, meta: object): Command => ({
  ...command,
  meta: { ...meta, name },
});

/** Returns the command that the words name, and its parent, for its usage. Both have names, which the usage contains. */
async function commandOf(words: readonly string[]): Promise<[Command, Command | undefined]> {
  let [current, parent, path]: [Command, Command | undefined, string] = [main, undefined, 'quittance'];
  for (const word of words) {
    const commands = (await current.subCommands) as Record<string, Command> | undefined;
    const next = commands?.[word];
    if (next === undefined) break;
    parent = named(current, path, {});
    current = named(next, word, (await next.meta) as object);
    path = `${path} ${word}`;
  }
  return [current, parent];
}

const words = process.argv.slice(2);
const isJson = words.includes('--json');
if (words.length === 0 || words.includes('--help') || words.includes('-h'))
  process.stdout.write(`${await renderUsage(...(await commandOf(words)))}\n`);
else
  await runCommand(main, { rawArgs: words }).catch((error: unknown) => {
    // Errors of a command are handled by the command. Other errors are unknown commands and missing arguments.
    process.exitCode = fail(new UsageError(error instanceof Error ? error.message : String(error)), isJson);
  });
