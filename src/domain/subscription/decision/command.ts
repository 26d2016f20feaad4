// The commands as one union and one table, both derived from the list in `commands/index.ts`.

import { commands } from '../commands/index.ts';
import type { CommandDefinition, Needs, Timed } from '../state/command.ts';

type CommandOf<Definition> =
  Definition extends CommandDefinition<infer Kind, infer Input> ? { readonly kind: Kind } & Input : never;

/** Every command on one customer's billing state. */
export type Command = CommandOf<(typeof commands)[number]>;

/** Commands that deadlines become. */
export type DeadlineCommand = Extract<Command, { readonly deadlineId: string }>;

const definitions: ReadonlyMap<string, CommandDefinition<string, Timed>> = new Map(
  commands.map((definition) => [definition.kind, definition]),
);

/** The definition of a command. Throws for one that is not in the list, which its type rules out. */
export function definitionOf({ kind }: Command): CommandDefinition<string, Timed> {
  const definition = definitions.get(kind);
  if (definition === undefined) throw new Error(`There is no command ${kind}.`);
  return definition;
}

/** Whether a command is given to deleted customers too; what is due always is. */
export const outlivesCustomer = (command: Command): boolean =>
  'deadlineId' in command || definitionOf(command).outlivesCustomer === true;

/** What has to be read for a command beside the open state of its customer. */
export const needsOf = (command: Command): Partial<Needs> => definitionOf(command).needs(command);
