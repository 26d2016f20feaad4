// Union type and lookup table of all commands, derived from the list in `commands/index.ts`.

import { commands } from '../commands/index.ts';
import type { CommandDefinition, Needs, Timed } from '../state/command.ts';

type CommandOf<Definition> =
  Definition extends CommandDefinition<infer Kind, infer Input> ? { readonly kind: Kind } & Input : never;

/** Command on the billing state of one customer. */
export type Command = CommandOf<(typeof commands)[number]>;

/** Commands that run when a deadline is due. */
export type DeadlineCommand = Extract<Command, { readonly deadlineId: string }>;

const definitions: ReadonlyMap<string, CommandDefinition<string, Timed>> = new Map(
  commands.map((definition) => [definition.kind, definition]),
);

/** Returns the definition of a command. Throws if the kind is unknown, although the types don't allow unknown kinds. */
export function definitionOf({ kind }: Command): CommandDefinition<string, Timed> {
  const definition = definitions.get(kind);
  if (definition === undefined) throw new Error(`There is no command ${kind}.`);
  return definition;
}

/** Returns true if a command also runs for deleted customers. Deadline commands always run. */
export const outlivesCustomer = (command: Command): boolean =>
  'deadlineId' in command || definitionOf(command).outlivesCustomer === true;

/** Returns true if a command doesn't read the totals of usage. */
export const ignoresUsage = (command: Command): boolean => definitionOf(command).ignoresUsage === true;

/** Returns the rows that a command needs in addition to its customer's open billing state. */
export const needsOf = (command: Command): Partial<Needs> => definitionOf(command).needs(command);
